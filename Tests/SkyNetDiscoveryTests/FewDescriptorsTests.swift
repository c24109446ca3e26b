import Foundation
import Testing

@testable import SkyNetDiscovery

@Suite("DNS-SD in a process with few descriptors left", .timeLimit(.minutes(20)))
struct FewDescriptorsTests {
  @Test("A request without descriptors fails for that reason, and not for want of a daemon")
  func told() async {
    // In another process, as no other test could open a file meanwhile.
    await #expect(processExitsWith: .success) {
      AvahiLibrary.prepare()
      var limits = rlimit()
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #else
        let resource = RLIMIT_NOFILE
      #endif
      #expect(getrlimit(resource, &limits) == 0)
      limits.rlim_cur = 64
      #expect(setrlimit(resource, &limits) == 0)
      var open: [CInt] = []
      while case let descriptor = Foundation.open("/dev/null", O_RDONLY), descriptor >= 0 {
        open.append(descriptor)
      }
      // Too few to reach the daemon.
      for left in 0...3 {
        if left > 0, let last = open.popLast() { close(last) }
        let error = #expect(throws: ServiceError.self) {
          try ServiceType(name: "_skynet-few._tcp").browse()
        }
        #expect(error?.isOutOfDescriptors == true, "with \(left) left: \(error as Any)")
      }
    }
  }
}

@Suite("A machine without libdns_sd")
struct NoLibraryTests {
  @Test("The fault names the package that has it")
  func told() {
    // The code of a request for which CDNSSD finds no library.
    let error = ServiceError(code: -65544)
    #expect(
      error.description
        == "there is no libdns_sd (install avahi-daemon and libavahi-compat-libdnssd1)")
  }
}

import Foundation

/// The figures of this process, under the names that Prometheus's own client libraries give them.
package enum ProcessFigures {
  package static var families: [MetricFamily] {
    [
      processorTime.map {
        .counter(
          "process_cpu_seconds_total", help: "The processor time of this process, in seconds.", $0)
      },
      statistics.map {
        .gauge(
          "process_resident_memory_bytes", help: "The resident memory of this process, in bytes.",
          $0.resident)
      },
      statistics.map {
        .gauge(
          "process_virtual_memory_bytes", help: "The virtual memory of this process, in bytes.",
          $0.virtual)
      },
      startTime.map {
        .gauge(
          "process_start_time_seconds", help: "When this process began, in seconds since 1970.", $0)
      },
      openDescriptors.map {
        .gauge("process_open_fds", help: "How many file descriptors are open.", $0)
      },
      descriptorLimit.map {
        .gauge("process_max_fds", help: "How many file descriptors may be open.", $0)
      },
    ].compactMap { $0 }
  }

  private static var processorTime: Double? {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The memory, as `/proc` tells; `nil` on machines without it.
  private static var statistics: (resident: Double, virtual: Double)? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let pages = text.split(separator: " ").compactMap { Double($0) }
    guard pages.count >= 2 else { return nil }
    let size = Double(sysconf(Int32(_SC_PAGESIZE)))
    return (pages[1] * size, pages[0] * size)
  }

  private static var openDescriptors: Double? {
    // The listing itself has one open.
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map {
      Double($0.count - 1)
    }
  }

  private static var descriptorLimit: Double? {
    var limit = rlimit()
    #if canImport(Glibc)
      let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      let status = getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    guard status == 0 else { return nil }
    return Double(limit.rlim_cur)
  }

  /// Looked up once, as it stays.
  private static let startTime: Double? = {
    guard let own = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
      let machine = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
      let nameEnd = own.lastIndex(of: ")"),
      let boot = machine.split(separator: "\n").first(where: { $0.hasPrefix("btime ") }),
      let bootTime = Double(boot.dropFirst("btime ".count))
    else { return nil }
    // The fields after the name begin with the third (proc(5)); the time of the start is the 22nd.
    let fields = own[own.index(after: nameEnd)...].split(separator: " ")
    guard fields.count > 19, let ticks = Double(fields[19]) else { return nil }
    return bootTime + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }()
}

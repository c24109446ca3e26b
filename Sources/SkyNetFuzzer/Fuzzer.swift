import Foundation
import SkyNetFuzz

/// The target, chosen by SKYNET_FUZZ_TARGET. It cannot be an argument: libFuzzer's `main` takes all
/// of them, and passes them on when it restarts the program.
private let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["SKYNET_FUZZ_TARGET"] ?? ""
  if let target = FuzzTarget(rawValue: name) { return target }
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
  let message = "SKYNET_FUZZ_TARGET is '\(name)', must be one of: \(names)\n"
  FileHandle.standardError.write(Data(message.utf8))
  exit(64)
}()

/// libFuzzer calls this function with each input. It is built only if SKYNET_FUZZ is set, with
/// `-sanitize=fuzzer`; see `Tests/run fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try target.run([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    // libFuzzer takes a crash as a finding.
    fatalError("\(target.rawValue): \(error)")
  }
  return 0
}

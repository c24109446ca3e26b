import Foundation

/// What a process has had of the machine's processors.
enum ProcessorTime {
  /// In its own code and in the kernel's; `nil` where the process is gone, or there is no /proc.
  static func seconds(of process: pid_t) -> Double? {
    guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else {
      return nil
    }
    // The fields after the name, which is in parentheses and may have spaces; the first is the third.
    let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?
      .split(separator: " ")
    guard let fields, fields.count > 12, let user = Double(fields[11]),
      let system = Double(fields[12])
    else { return nil }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

import Foundation

/// The processor time of a process.
enum ProcessorTime {
  /// User and system time, in seconds; `nil` if the process is gone, or there is no /proc.
  static func seconds(of process: pid_t) -> Double? {
    guard let fields = ProcessFields(process), let user = Double(fields[14]),
      let system = Double(fields[15])
    else { return nil }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

/// The fields of a process's /proc/…/stat, numbered from 1 as in proc(5).
struct ProcessFields {
  let name: String
  private let afterName: [Substring]

  /// Returns `nil` if the process is gone, or there is no /proc.
  init?(_ process: pid_t) {
    guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else {
      return nil
    }
    let text = String(decoding: data, as: UTF8.self)
    // The name is in parentheses and may contain spaces.
    guard let begin = text.firstIndex(of: "("), let end = text.lastIndex(of: ")") else {
      return nil
    }
    name = String(text[text.index(after: begin)..<end])
    afterName = text[text.index(after: end)...].split(separator: " ")
    guard afterName.count > 19 else { return nil }
  }

  /// The field with this number, from 3 on.
  subscript(number: Int) -> Substring { afterName[number - 3] }

  var parent: pid_t? { pid_t(self[4]) }
}

/// The children of a process with this name.
func children(of parent: pid_t, named name: String) -> [pid_t] {
  let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap(pid_t.init)
  return (ids ?? []).filter { id in
    ProcessFields(id).map { $0.parent == parent && $0.name == name } ?? false
  }
}

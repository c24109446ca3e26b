import CProcess
import Foundation

/// The processes below this one. It must have made itself the parent of those whose own parent has
/// ended (`process_adopt`), so that none leaves the tree, whatever its group and session are.
///
/// Where the system does not list the children of a process (elsewhere than on Linux), the groups of
/// the given processes stand in for the tree.
enum ProcessTree {
  /// Sends a signal to all that is below these children of this process, and to them.
  static func signal(_ number: CInt, from roots: [pid_t]) {
    for process in all(from: roots, stopping: false) {
      kill(process, number)
      // A process that is stopped takes the signal only when it goes on.
      if number != SIGKILL { kill(process, SIGCONT) }
    }
  }

  /// Kills all that is below these children of this process, and them. They are stopped first, so
  /// that what is listed starts nothing more. What was started meanwhile may remain: the caller
  /// repeats the call until no child is left.
  static func kill(from roots: [pid_t]) {
    var known: Set<pid_t> = []
    // A few passes find all, unless processes end, and others begin, faster than they are listed.
    for _ in 0..<8 {
      let found = all(from: roots, stopping: true)
      if found.allSatisfy(known.contains) { break }
      known.formUnion(found)
    }
    for process in known { kill(process, SIGKILL) }
  }

  private static func kill(_ process: pid_t, _ number: CInt) {
    #if os(Linux)
      _ = Foundation.kill(process, number)
    #else
      _ = Foundation.kill(-process, number)
    #endif
  }

  private static func all(from roots: [pid_t], stopping: Bool) -> [pid_t] {
    // One that is stopped before its children are listed has no others afterwards.
    if stopping { for process in roots { kill(process, SIGSTOP) } }
    #if os(Linux)
      let list = ChildList()
      var found = roots
      var next = 0
      while next < found.count {
        for child in list.children(of: found[next]) {
          if stopping { kill(child, SIGSTOP) }
          found.append(child)
        }
        next += 1
      }
      return found
    #else
      return roots
    #endif
  }

  /// The children of a process, by default of this one; none where the system does not list them.
  static func children(of process: pid_t = getpid()) -> [pid_t] {
    #if os(Linux)
      ChildList().children(of: process)
    #else
      []
    #endif
  }
}

#if os(Linux)
  /// Who is whose child, as /proc tells.
  struct ChildList {
    /// The children of each process, on a kernel that has no lists of them.
    private var table: [pid_t: [pid_t]]?

    init() {
      let own = getpid()
      self.init(hasLists: access("/proc/\(own)/task/\(own)/children", R_OK) == 0)
    }

    /// - Parameter hasLists: whether the kernel lists the children of each thread.
    init(hasLists: Bool) {
      guard !hasLists else { return }
      var table: [pid_t: [pid_t]] = [:]
      for process in Self.numbers(in: "/proc") {
        if let parent = Self.parent(of: process) { table[parent, default: []].append(process) }
      }
      self.table = table
    }

    func children(of process: pid_t) -> [pid_t] {
      if let table { return table[process] ?? [] }
      let threads = "/proc/\(process)/task"
      return Self.numbers(in: threads).flatMap { thread in
        Self.contents(of: "\(threads)/\(thread)/children").split(separator: UInt8(ascii: " "))
          .compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
      }
    }

    /// The fourth word of `stat`, of which the second is a name in parentheses with any characters.
    private static func parent(of process: pid_t) -> pid_t? {
      let text = contents(of: "/proc/\(process)/stat")
      guard let name = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
      let words = text[(name + 1)...].split(separator: UInt8(ascii: " "))
      return words.count > 1 ? pid_t(String(decoding: words[1], as: UTF8.self)) : nil
    }

    private static func numbers(in folder: String) -> [pid_t] {
      guard let stream = opendir(folder) else { return [] }
      defer { closedir(stream) }
      var numbers: [pid_t] = []
      while let entry = readdir(stream) {
        if let number = pid_t(String(cString: entry.name)) { numbers.append(number) }
      }
      return numbers
    }

    private static func contents(of path: String) -> [UInt8] {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { close(file) }
      var bytes: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 8192)
      while case let count = read(file, &part, part.count), count > 0 { bytes += part[..<count] }
      return bytes
    }
  }
#endif

extension UnsafeMutablePointer<dirent> {
  /// The name in an entry of a folder: bytes of any kind, with a zero at the end.
  var name: UnsafePointer<CChar> {
    // An entry is no longer than its name, so that a copy of the struct would read beyond it.
    (UnsafeRawPointer(self) + MemoryLayout<dirent>.offset(of: \.d_name)!)
      .assumingMemoryBound(to: CChar.self)
  }
}

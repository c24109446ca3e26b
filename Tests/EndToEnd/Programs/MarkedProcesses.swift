import Foundation

/// The processes that a test's processes start, and those that these start: all have a variable in their environment
/// that no others have.
struct MarkedProcesses {
  private let name = "PROGRAMS_OF_TEST"
  private let value = UUID().uuidString

  /// What to start nodes and engagements with.
  var environment: [String: String] { [name: value] }

  /// Those that run now, without zombies.
  var running: [pid_t] {
    let mark = Data("\(name)=\(value)\0".utf8)
    return Self.all.filter { id in
      guard let variables = FileManager.default.contents(atPath: "/proc/\(id)/environ") else {
        return false
      }
      return (variables + [0]).range(of: mark) != nil
    }
  }

  /// Those of `running` that run the program of this name.
  func running(_ name: String) -> [pid_t] {
    running.filter { Self.file(of: $0).map { URL(fileURLWithPath: $0).lastPathComponent } == name }
  }

  /// Waits until this many programs run.
  func programs(_ count: Int, running name: String) async throws {
    try await wait("\(count) times \(name)") { running(name).count == count }
  }

  /// Waits until none is left but these and what is below them, which takes a second where processes ignore SIGTERM.
  func gone(butBelow roots: RunningProcess...) async throws {
    try await wait("no process left") {
      let kept = Set(roots.flatMap { Self.family(of: $0.id) })
      return kept.isSuperset(of: running)
    }
  }

  /// Waits until no program runs, and only the nodes' and engagements' own processes do.
  func idle() async throws {
    try await wait("no program left") {
      running.allSatisfy { id in Self.isOwn(id) }
    }
  }

  /// Looks at what has no notification.
  private func wait(_ words: String, until isMet: () -> Bool) async throws {
    let start = ContinuousClock.now
    while !isMet() {
      guard ContinuousClock.now - start < .ample else {
        throw Unexpected(
          "not within \(Duration.ample): \(words); there are \(running.map(Self.text))")
      }
      try await Endurance.pass(.milliseconds(20))
    }
  }

  /// Whether a process is one of SkyNet's own: forks of it have its file.
  private static func isOwn(_ id: pid_t) -> Bool {
    let file = file(of: id)
    return file == nil || file == realBinary
  }

  private static func file(of id: pid_t) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe")
  }

  private static let realBinary = URL(fileURLWithPath: Paths.binary).resolvingSymlinksInPath().path

  private static func text(_ id: pid_t) -> String {
    let words = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
    return "\(id) " + String(decoding: words, as: UTF8.self).replacing("\0", with: " ")
  }

  private static var all: [pid_t] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
  }

  /// A process and all below it.
  static func family(of root: pid_t) -> [pid_t] {
    var children: [pid_t: [pid_t]] = [:]
    for id in all {
      if let parent = ProcessFields(id)?.parent { children[parent, default: []].append(id) }
    }
    var family = [root]
    var next = 0
    while next < family.count {
      family += children[family[next]] ?? []
      next += 1
    }
    return family
  }

  /// The zombies below a process.
  static func zombies(below root: pid_t) -> [pid_t] {
    family(of: root).filter { ProcessFields($0)?[3] == "Z" }
  }

  /// How many descriptors a process and all below it have open.
  static func descriptors(below root: pid_t) -> Int {
    family(of: root).reduce(0) { sum, id in
      sum + ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count) ?? 0)
    }
  }
}

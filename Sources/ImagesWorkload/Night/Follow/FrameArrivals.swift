import SkyFiles
import SkyNetCommand
import SkyNetCore

/// Decides which files of a followed directory are complete frames, and tells each once.
///
/// A file is looked at when something happened to it, and now and then. It is complete when it has
/// all the bytes that its headers tell of, and
/// - its writer has closed it, or it was renamed into place, or
/// - nobody has changed it for a while, as its writer may keep it open or be on another machine.
///
/// The second condition is for files of several units: these have all the bytes that their headers
/// tell of whenever one more unit is written. A gzipped file does not tell its length, so the second
/// condition alone counts, and the while is longer.
struct FrameArrivals {
  struct Settings {
    /// How long a file with all its bytes stays unchanged before it is taken.
    var settling = Duration.seconds(2)
    /// The same for a file that does not tell its length.
    var settlingOfUnknown = Duration.seconds(30)
    /// How long an incomplete file is looked at every ``settling`` after its last change. Later only
    /// an event or a listing has it looked at.
    var attention = Duration.seconds(60)
  }

  /// A file that is not taken, or was taken and then changed.
  private struct Waiting {
    var version: FileVersion
    var extent: FITSExtent
    /// Since when the file has this version.
    var since: Instant
    var isClosed: Bool
    var nextLook: Instant?
  }

  private let settings: Settings
  private var waiting: [ExactText: Waiting] = [:]
  /// The version of each file when it was told of, or when its change was.
  private var taken: [ExactText: FileVersion] = [:]
  /// The name under which each version was taken.
  private var names: [FileVersion: ExactText] = [:]
  /// When a file last came or changed; at first, when the following began.
  private(set) var lastChange: Instant

  init(_ settings: Settings = Settings(), at now: Instant) {
    self.settings = settings
    lastChange = now
  }

  /// Whether the extent of a file with this version has to be read to decide about it.
  func needsExtent(of name: ExactText, _ version: FileVersion) -> Bool {
    taken[name] == nil && waiting[name]?.version != version
  }

  /// A file was looked at.
  ///
  /// - Parameters:
  ///   - version: what it is now; `nil` if it is gone, or no regular file.
  ///   - extent: its extent, if ``needsExtent(of:_:)`` asks for it.
  ///   - isClosed: whether its writer has closed it since the last look, or it was renamed into place.
  ///   - age: how long it has certainly been unchanged.
  /// - Returns: what is to be told.
  mutating func looked(
    at name: ExactText, _ version: FileVersion?, extent: FITSExtent? = nil, isClosed: Bool = false,
    age: Duration = .zero, now: Instant
  ) -> FollowNews? {
    guard let version else {
      // A file that was told of stays known: another one under its name is a rewrite.
      waiting[name] = nil
      return nil
    }
    let former = taken[name]
    guard former != version else {
      waiting[name] = nil
      return nil
    }
    var file: Waiting
    if let known = waiting[name], known.version == version {
      file = known
      file.isClosed = file.isClosed || isClosed
    } else {
      lastChange = now
      file = Waiting(
        version: version, extent: extent ?? .complete,
        since: now + (.zero - age), isClosed: isClosed)
    }
    if isSettled(file, at: now) {
      waiting[name] = nil
      return take(name, version, former: former)
    }
    file.nextLook = nextLook(at: file, now)
    waiting[name] = file
    return nil
  }

  /// The directory was listed: files with other names are gone.
  mutating func listed(_ present: Set<ExactText>) {
    for name in waiting.keys where !present.contains(name) { waiting[name] = nil }
  }

  /// The files that time alone could make complete, and that are to be looked at now.
  func due(_ now: Instant) -> [ExactText] {
    waiting.filter { $0.value.nextLook.map { $0 <= now } ?? false }.keys.sorted()
  }

  /// When the next file is due.
  var nextLook: Instant? { waiting.values.compactMap(\.nextLook).min() }

  /// Whether a file has all its bytes and only has to stay unchanged for a while.
  var isSettling: Bool {
    waiting.values.contains { $0.extent == .complete || $0.extent == .unknown }
  }

  /// The files that have not become complete, by name, with the reason of each.
  var unfinished: [(name: String, reason: String)] {
    waiting.filter { taken[$0.key] == nil }.sorted { $0.key < $1.key }.map { key, file in
      let name = key.text
      return switch file.extent {
      case .complete, .unknown: (name, "may not be complete: it was changed a moment ago")
      case .short(let needed):
        (name, "is not complete: it has \(file.version.size) of at least \(needed) bytes")
      case .notFITS(let fault): (name, fault)
      }
    }
  }

  private func isSettled(_ file: Waiting, at now: Instant) -> Bool {
    guard let settling = settling(of: file) else { return false }
    return file.isClosed || now >= file.since + settling
  }

  /// How long the file has to stay unchanged; `nil` if it is certainly incomplete.
  private func settling(of file: Waiting) -> Duration? {
    switch file.extent {
    case .complete: settings.settling
    case .unknown: settings.settlingOfUnknown
    case .short, .notFITS: nil
    }
  }

  private func nextLook(at file: Waiting, _ now: Instant) -> Instant? {
    if let settling = settling(of: file) { return file.since + settling }
    return now < file.since + settings.attention ? now + settings.settling : nil
  }

  private mutating func take(
    _ name: ExactText, _ version: FileVersion, former: FileVersion?
  ) -> FollowNews {
    taken[name] = version
    if let other = names[version], other != name { return .again(name.text, formerly: other.text) }
    guard former == nil else { return .rewritten(name.text) }
    names[version] = name
    return .frame(name.text)
  }
}

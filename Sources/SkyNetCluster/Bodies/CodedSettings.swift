import SkyNetCore
import Synchronization

import struct Foundation.Data

/// A job's settings as they are sent: coded once for all tasks that have them.
final class CodedSettings: Sendable {
  /// Settings of more bytes travel alone, once for a connection. Others come with each task, which is simpler.
  private static let mostBesideSector = 4096
  private static let lastID = Atomic(0)

  /// No other settings of this process have it.
  let id = lastID.add(1, ordering: .relaxed).newValue
  let kind: ScanKind
  let json: [UInt8]
  let bulk: Data
  /// Whether they travel apart from the tasks.
  let travelAlone: Bool
  /// Why they cannot be sent: they are too large. `nil` if they can.
  let fault: CallFailure?

  /// - Throws: the error of the settings' own code.
  init(_ settings: some Encodable, of kind: ScanKind) throws {
    var body = BodyWriter()
    try body.add(settings)
    self.kind = kind
    (json, bulk) = (body.json.bytes, body.bulk)
    travelAlone = !bulk.isEmpty || json.count > Self.mostBesideSector
    do throws(CallFailure) {
      try body.checkSize(of: "the settings")
      fault = nil
    } catch {
      fault = error
    }
  }

  var byteCount: Int { json.count + bulk.count }
}

/// The coded settings of a job, by the number that all tasks with these settings have in common.
///
/// It has a lock, as the code of a job that is not light runs on Swift's pool.
final class SettingsCodes: Sendable {
  /// The most groups of tasks whose settings are held. The tasks of few groups are in flight at a time.
  private static let limit = 64

  private let codes = Mutex<[Int: CodedSettings?]>([:])

  /// Codes the settings of a group, unless they are coded already; `nil` if that fails.
  func code(_ settings: some Encodable, of kind: ScanKind, ofGroup group: Int) -> CodedSettings? {
    codes.withLock { codes in
      if let known = codes[group] { return known }
      let coded = try? CodedSettings(settings, of: kind)
      if codes.count >= Self.limit { codes.removeAll(keepingCapacity: true) }
      codes[group] = .some(coded)
      return coded
    }
  }
}

// MARK: On their way

// What follows is frozen by the version of the wire protocol: see docs/protocol.md.

extension CodedSettings {
  /// The call that has a peer keep them.
  ///
  /// - Parameter dropped: the ids of settings that the peer is to forget.
  func message(dropping dropped: [Int]) -> Message {
    var body = PlainJSON()
    body.add(syntax: "{")
    body.add(key: "id", id, isFirst: true)
    body.add(key: "kind", kind.description)
    body.add(key: "dropped")
    body.add(numbers: dropped)
    body.add(key: "settings")
    body.add(json: json)
    body.add(syntax: "}")
    return Message(.call, target: CallTargets.keep, body: body.data, bulk: bulk)
  }
}

/// Settings that a peer asks this process to keep, decoded.
struct SettingsToKeep: Sendable {
  private enum Key: Int, BodyKey {
    case id, kind, dropped, settings

    static let all = JSONKeys(Key.self)
  }

  let id: Int
  let dropped: [Int]
  let settings: KnownSettings
  let byteCount: Int

  /// - Throws: `CallFailure` if this process does not know the kind; `DecodingError`.
  init(from message: Message, by coder: BodyCoder) throws {
    self = try coder.read(Key.self, of: message) { body in
      let entry = try body.scan(Key.kind)
      return SettingsToKeep(
        id: try body.number(Key.id, from: 1), dropped: try body.value(Key.dropped, as: [Int].self),
        settings: try KnownSettings(of: entry.scan, entry.kind, body, Key.settings),
        byteCount: message.byteCount)
    }
  }

  private init(id: Int, dropped: [Int], settings: KnownSettings, byteCount: Int) {
    (self.id, self.dropped, self.settings, self.byteCount) = (id, dropped, settings, byteCount)
  }
}

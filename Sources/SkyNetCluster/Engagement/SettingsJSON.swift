import Synchronization

/// The JSON of a job's settings, which is made once for all tasks that have the same settings.
///
/// It has a lock, as the code of a job that is not light runs on Swift's pool.
final class SettingsJSON<Settings: Encodable & Sendable>: Sendable {
  /// The most groups of tasks whose settings are kept. The tasks of few groups are in flight at a time.
  private static var limit: Int { 64 }

  private let texts = Mutex<[Int: [UInt8]?]>([:])

  /// The JSON; `nil` if the settings have bulk bytes, which have to be sent with each task.
  ///
  /// - Parameter group: the number that all tasks with these settings have in common.
  func text(of settings: Settings, inGroup group: Int) -> [UInt8]? {
    texts.withLock { texts in
      if let known = texts[group] { return known }
      var body = BodyWriter()
      let isWritten = (try? body.add(settings)) != nil
      let text = isWritten && body.bulk.isEmpty ? body.json.bytes : nil
      if texts.count >= Self.limit { texts.removeAll(keepingCapacity: true) }
      texts[group] = .some(text)
      return text
    }
  }
}

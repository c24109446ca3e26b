import Logging
import SkyNetCluster
import SkyNetTestKit

/// Records log messages, for tests to wait on.
final class LogRecord: Sendable {
  struct Entry: Sendable {
    let level: Logger.Level
    let text: String
  }

  let entries = Watched<[Entry]>([])

  var logger: Logger {
    Logger(label: "test") { [entries] _ in Handler(entries: entries) }
  }

  var warnings: [String] { entries.value.filter { $0.level == .warning }.map(\.text) }

  /// Waits until a warning that contains this text has been logged.
  func warning(_ text: String) async throws {
    try await entries.wait { $0.contains { $0.level == .warning && $0.text.contains(text) } }
  }

  private struct Handler: LogHandler {
    let entries: Watched<[Entry]>
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider? = .skynet
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let provided = metadataProvider?.get() ?? [:]
      let values = provided.merging(event.metadata ?? [:]) { $1 }.map { "\($0.key)=\($0.value)" }
        .sorted()
      let text = (["\(event.message)"] + values).joined(separator: " ")
      entries.update { $0.append(Entry(level: event.level, text: text)) }
    }
  }
}

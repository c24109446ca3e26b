import Logging
import Synchronization

/// The last lines of a log, for a view on a terminal that shows them.
final class LogTail: Sendable {
  struct Line: Hashable, Sendable {
    /// In seconds since 1970.
    let time: Double
    /// The message with its metadata.
    let text: String
    let level: Logger.Level

    /// The line for a person, cut to these columns.
    func styled(columns: Int) -> StyledText {
      let clock = Figures.clock(time) + "  "
      let said = (level >= .warning ? "\(level): " : "") + text.showingControls
      let style: Style =
        switch level {
        case .warning: .doubtful
        case .error, .critical: .bad
        default: .plain
        }
      return StyledText(clock, .faint)
        + StyledText(said.cutAtWord(to: max(0, columns - clock.columns)), style)
    }
  }

  /// More than any window shows.
  private static let limit = 100

  private let all = Mutex<[Line]>([])

  func add(_ line: LogLine, at time: Double) {
    all.withLock { lines in
      if lines.count >= Self.limit { lines.removeFirst() }
      lines.append(Line(time: time, text: line.messageWithMetadata, level: line.level))
    }
  }

  /// The latest lines, the newest one last.
  var lines: [Line] { all.withLock { $0 } }
}

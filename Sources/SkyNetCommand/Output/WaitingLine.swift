import SkyNetCore
import SkyNetViews

/// The line of a command that waits for systems: `waiting for 3 systems: 1 connected (a), 8 s left`.
enum WaitingLine {
  /// - Parameter left: how long the wait may still take, in seconds.
  static func text(for wanted: Int, connected names: [String], left: Double) -> String {
    let there =
      names.isEmpty
      ? "none connected" : "\(names.count) connected (\(NameList.text(names.sorted())))"
    let time = left < 1 ? "\(Duration.seconds(max(0, left)).inTenths) s" : FigureText.time(left)
    return "waiting for \(wanted) system\(wanted == 1 ? "" : "s"): \(there), "
      + "\(time) left"
  }
}

/// Names or other short texts in a row, of which long ones are cut.
enum NameList {
  /// How many are named.
  static let limit = 10

  static func text(_ names: [String]) -> String {
    let more = names.count - limit
    guard more > 0 else { return names.joined(separator: ", ") }
    return names.prefix(limit).joined(separator: ", ") + ", … and \(more) more"
  }
}

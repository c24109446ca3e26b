/// Whether output has colours, by the terminal and the variables that people set for all programs
/// (no-color.org, bixense.com/clicolors).
enum ColorChoice {
  static func hasColors(isTerminal: Bool, _ environment: [String: String]) -> Bool {
    if let off = environment["NO_COLOR"], !off.isEmpty { return false }
    if let forced = environment["CLICOLOR_FORCE"], !forced.isEmpty, forced != "0" { return true }
    if environment["CLICOLOR"] == "0" { return false }
    return isTerminal && environment["TERM"] != "dumb"
  }

  /// Whether a terminal has broken lines anew when it tells that its window is narrower. Most have; xterm and
  /// rxvt, the kernel's console and screen cut lines. tmux breaks them, but tells so a quarter of a second
  /// later, and a panel that was drawn meanwhile is not broken: then as many rows are cleared as were drawn,
  /// since a row too many would clear a line that is to stay.
  static func reflows(_ environment: [String: String]) -> Bool {
    let others = ["TMUX", "XTERM_VERSION", "STY"]
    if others.contains(where: { environment[$0] != nil }) { return false }
    let type = environment["TERM"] ?? ""
    return !["linux", "rxvt", "screen", "tmux", "vt"].contains { type.hasPrefix($0) }
  }
}

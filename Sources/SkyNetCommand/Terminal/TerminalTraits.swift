/// What a terminal shows, by the variables that describe it and those that people set for all programs.
enum TerminalTraits {
  /// Whether output has colours (no-color.org, bixense.com/clicolors).
  static func hasColors(isTerminal: Bool, _ environment: [String: String]) -> Bool {
    if let off = environment["NO_COLOR"], !off.isEmpty { return false }
    if let forced = environment["CLICOLOR_FORCE"], !forced.isEmpty, forced != "0" { return true }
    if environment["CLICOLOR"] == "0" { return false }
    return isTerminal && obeys(environment)
  }

  /// Whether it obeys control sequences. A dumb terminal, such as an editor's shell, shows them as text, and of one
  /// without a type nobody knows.
  static func obeys(_ environment: [String: String]) -> Bool {
    !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// Whether it shows more characters than ASCII's, by the locale: the first of these variables that is set counts
  /// (setlocale(3)). Where none is, the terminal counts as one that shows what terminals show today.
  static func showsUnicode(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    guard let locale = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty })
    else { return true }
    let encoding = locale.lowercased().filter { $0 != "-" }
    return encoding.contains(".utf8")
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

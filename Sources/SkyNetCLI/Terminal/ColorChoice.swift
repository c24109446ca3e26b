/// Whether output has colours, by the terminal and the variables that people set for all programs
/// (no-color.org, bixense.com/clicolors).
enum ColorChoice {
  static func hasColors(isTerminal: Bool, _ environment: [String: String]) -> Bool {
    if let off = environment["NO_COLOR"], !off.isEmpty { return false }
    if let forced = environment["CLICOLOR_FORCE"], !forced.isEmpty, forced != "0" { return true }
    if environment["CLICOLOR"] == "0" { return false }
    return isTerminal && environment["TERM"] != "dumb"
  }

  /// Whether a terminal breaks lines anew when its window gets narrower. Most do; xterm and rxvt, the kernel's
  /// console and screen cut them.
  static func reflows(_ environment: [String: String]) -> Bool {
    if environment["TMUX"] != nil { return true }
    if environment["XTERM_VERSION"] != nil || environment["STY"] != nil { return false }
    let type = environment["TERM"] ?? ""
    return !["linux", "rxvt", "screen", "vt"].contains { type.hasPrefix($0) }
  }
}

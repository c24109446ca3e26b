import SkyFiles

/// The folder in which this account's programs keep what should survive, after the XDG Base Directory Specification.
enum StateFolder {
  /// This program's own; `nil` if neither XDG_STATE_HOME nor HOME is an absolute path.
  static func path(_ environment: [String: String]) -> String? {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.isAbsolutePath ? $0 : nil }
    }
    let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
    return state.map { "\($0)/\(Program.name)" }
  }
}

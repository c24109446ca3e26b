import Foundation

/// The browser of the machine's user.
enum Browser {
  /// Opens an address, and does not wait.
  ///
  /// - Returns: why there is nothing to open it; `nil` if the browser was told.
  static func open(
    _ address: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    #if canImport(Darwin)
      let name = "open"
    #else
      let name = "xdg-open"
      // Without a display it starts a browser of text, if there is one, in this terminal.
      guard ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains(where: { environment[$0] != nil })
      else { return "there is no display here; open the page's address in a browser" }
    #endif
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    guard
      let path = folders.map({ "\($0)/\(name)" })
        .first(where: { FileManager.default.isExecutableFile(atPath: $0) })
    else { return "there is no \(name) on the PATH; open the page's address in a browser" }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [address]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      return nil
    } catch {
      return "\(path) cannot be run: \(error.localizedDescription)"
    }
  }
}

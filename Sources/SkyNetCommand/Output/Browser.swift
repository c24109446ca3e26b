import Foundation
import SkyFiles

/// The browser of the machine's user.
enum Browser {
  /// Why there is nothing to open a page.
  struct Fault: Error {
    let reason: String
  }

  /// Opens a page, and does not wait.
  ///
  /// - Returns: the file by which the browser comes to it, to be removed when the page is over.
  static func open(_ address: String) throws(Fault) -> PageLink {
    #if canImport(Darwin)
      let name = "open"
    #else
      let name = "xdg-open"
      // Without a display it starts a browser of text, if there is one, in this terminal.
      let environment = ProcessInfo.processInfo.environment
      guard ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains(where: { environment[$0] != nil })
      else { throw Fault(reason: "there is no display here") }
    #endif
    guard let path = ProgramSearch.path(of: name) else {
      throw Fault(reason: "there is no \(name) on the PATH")
    }
    guard let link = PageLink(to: address) else {
      throw Fault(reason: "no file can be made that leads a browser there")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [link.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      return link
    } catch {
      link.remove()
      throw Fault(reason: "\(path) cannot be run: \(error.localizedDescription)")
    }
  }
}

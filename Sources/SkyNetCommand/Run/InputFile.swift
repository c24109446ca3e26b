import Foundation
package import SkyFiles
import SkyNetJournal

/// A file that all results of a run depend on, as it was when the run opened it.
public struct InputFile: Sendable {
  let path: String
  /// Which version of the file it was.
  let state: String

  /// The file as it is now; `nil` if there is none.
  public init?(_ path: String) {
    guard let state = FileState(path: path) else { return nil }
    self.init(path, state)
  }

  package init(_ file: OpenedFile) { self.init(file.path, file.state) }

  private init(_ path: String, _ state: FileState) {
    self.path = URL(fileURLWithPath: path).path
    self.state = state.text
  }

  var isUnchanged: Bool { FileState(path: path)?.text == state }
}

extension RunSetup.Input {
  /// Whether the file is as it was.
  var isUnchanged: Bool { FileState(path: path)?.text == state }
}

extension FileState {
  fileprivate var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}

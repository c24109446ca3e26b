import Foundation
package import SkyFiles
import SkyNetJournal

/// A file that all results of a run depend on, as it was when the run opened it.
public struct RunInput: Sendable {
  fileprivate let file: OpenedFile

  /// The file as it is now, before anything of it was read; `nil` if there is none.
  public init?(_ path: String) {
    guard let state = FileState(path: path) else { return nil }
    self.init(OpenedFile(path: path, state: state))
  }

  package init(_ file: OpenedFile) { self.file = file }

  /// As the journal keeps it.
  var recorded: RunSetup.Input {
    RunSetup.Input(path: URL(fileURLWithPath: file.path).path, state: file.state.text)
  }
}

extension [RunInput] {
  /// - Throws: ``ChangedFile`` if one of them has changed since it was opened.
  func checkUnchanged() throws(ChangedFile) {
    try map(\.file).checkUnchanged()
  }
}

extension RunSetup.Input {
  /// Whether the file is as it was.
  var isUnchanged: Bool { FileState(path: path)?.text == state }
}

extension FileState {
  fileprivate var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}

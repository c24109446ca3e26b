import CProcess
package import Foundation

/// A program to run once, and what it is given.
package struct ProgramOrder: Sendable {
  /// The file to execute, from the program's folder on. No shell and no list of folders comes between.
  package var path: String
  /// The program's arguments, of which the first is the name that it is called by.
  package var arguments: [String]
  /// Whether the program has all variables that this process had at its beginning, but those that are for this process
  /// alone; else it has the few that any program needs.
  package var inheritsAll = true
  /// Variables beside these, whose values these replace. `SKYNET_SLOT` is added.
  package var variables: [String: String]
  /// The folder in which the program runs: an absolute path; `nil` for an empty one of its own,
  /// which is removed afterwards.
  package var directory: String?
  /// Which folder that has to be, whatever lies on its path when the program starts; `nil` for any.
  package var directoryNumber: FolderNumber?
  /// What the program reads on its standard input; `nil` for nothing.
  package var input: Data?
  /// The most bytes that it may write to its standard output. More end the program.
  package var outputLimit: Int

  package init(
    path: String, arguments: [String], variables: [String: String] = [:],
    directory: String? = nil, input: Data? = nil, outputLimit: Int
  ) {
    (self.path, self.arguments, self.variables) = (path, arguments, variables)
    (self.directory, self.input, self.outputLimit) = (directory, input, outputLimit)
  }
}

/// A folder's device and inode.
package struct FolderNumber: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }

  /// The folder in which this process is.
  static var current: FolderNumber? {
    var status = stat()
    guard stat(".", &status) == 0 else { return nil }
    return FolderNumber(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}

/// What a program left, and what is gone by now.
package struct ProgramLeavings: Hashable, Sendable {
  /// Whether its first process left others, which had not ended a second later and were ended then.
  package var processes = false
  /// How many files and folders it left in an empty folder of its own.
  package var files = 0
  /// The name of one of these.
  package var example: String?

  package init() {}

  init(files: Int, example: String?) { (self.files, self.example) = (files, example) }
}

/// How a program ended, and what it wrote.
package struct ProgramEnding: Sendable {
  package enum Status: Hashable, Sendable {
    /// The status that the program chose, from 0 to 255.
    case exited(CInt)
    /// The number of the signal that ended it.
    case signaled(CInt)
  }

  package var status: Status
  /// The standard output, at most ``ProgramOrder/outputLimit`` bytes.
  package var output: Data
  /// The last ``ProgramEnding/errorsLimit`` bytes of the standard error.
  package var errors: Data
  /// Whether the program was ended because it wrote more than ``ProgramOrder/outputLimit`` bytes.
  package var isTooLong: Bool
  package var left: ProgramLeavings

  /// How many bytes of a program's standard error are kept.
  package static let errorsLimit = 4096

  package init(
    status: Status, output: Data, errors: Data, isTooLong: Bool,
    left: ProgramLeavings = ProgramLeavings()
  ) {
    (self.status, self.output) = (status, output)
    (self.errors, self.isTooLong, self.left) = (errors, isTooLong, left)
  }
}

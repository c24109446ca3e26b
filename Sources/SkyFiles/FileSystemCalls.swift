// This file imports no Foundation, and those that use `stat` import no CProcess: Swift takes the C
// struct for a part of whichever of the two it meets first.
import CProcess

/// Calls of the kernel that Swift's Glibc module leaves out.
package enum FileSystemCalls {
  /// The flags of an opening without effects, whatever is opened. On Linux, they allow no others
  /// but O_CLOEXEC.
  package static let pathOnly: CInt = O_PATH == 0 ? O_NONBLOCK | O_NOCTTY : O_PATH

  /// Opens a path below an open directory, and follows no symbolic link: then `errno` is ELOOP. The
  /// path has no empty names, nor `.` or `..`.
  ///
  /// - Parameter walks: whether to open one name after the other, as is done where the kernel has no single call.
  /// - Returns: a descriptor, or a negative number.
  package static func open(
    _ path: String, beneath directory: CInt, flags: CInt, walks: Bool = false
  ) -> CInt {
    walks
      ? process_walk_beneath(directory, path, flags)
      : process_open_beneath(directory, path, flags)
  }

  /// The type of the file system that holds an open file; 0 if it is not known.
  package static func fileSystem(of descriptor: CInt) -> Int {
    Int(process_file_system(descriptor))
  }
}

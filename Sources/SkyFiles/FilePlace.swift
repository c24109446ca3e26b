import Foundation

/// The place that a path leads to: a folder, and a name in it. Paths that lead to one place by `..`,
/// by symbolic links or from different folders are equal. The file need not exist.
package struct FilePlace: Hashable, Sendable {
  package let name: ExactText
  package let folder: FolderIdentity

  /// The places of the folders on the way to this one that do not exist.
  package var missingFolders: [FilePlace] {
    folder.missing.indices.map { place in
      var outer = folder
      outer.missing = Array(folder.missing[..<place])
      return FilePlace(name: folder.missing[place], folder: outer)
    }
  }
}

/// A folder, or the place of one that does not exist.
package struct FolderIdentity: Hashable, Sendable {
  package let device: UInt64
  package let number: UInt64
  /// The folders that are missing below the existing one, the outermost first.
  package var missing: [ExactText] = []
}

/// Looks at folders, each once: paths to many files in a few folders cost little. What was found
/// holds until ``forgetMissing()``.
package struct FolderIdentities: Sendable {
  private var known: [ExactText: FolderIdentity] = [:]

  package init() {}

  package subscript(path: String) -> FolderIdentity {
    mutating get {
      let key = ExactText(path)
      if let folder = known[key] { return folder }
      let folder = look(at: path)
      known[key] = folder
      return folder
    }
  }

  /// Looks at folders again that did not exist.
  package mutating func forgetMissing() {
    known = known.filter { $0.value.missing.isEmpty }
  }

  private mutating func look(at path: String) -> FolderIdentity {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      return FolderIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
    let (outer, name) = SplitPath.split(path)
    guard path != ".", path != "/" else {
      return FolderIdentity(device: 0, number: 0, missing: [ExactText(path)])
    }
    var folder = self[outer ?? "."]
    // A folder that is made is no link, so ".." leads back out of it.
    if name == "..", !folder.missing.isEmpty {
      folder.missing.removeLast()
    } else if !name.isEmpty, name != "." {
      folder.missing.append(ExactText(name))
    }
    return folder
  }
}

/// What a path leads to, at the time of the look.
package struct FileLocation {
  package let place: FilePlace
  /// The file there; `nil` if there is none.
  package let file: FileNumber?
  /// Whether the path is that of a terminal, a pipe or a device such as `/dev/null`, which several writers can share.
  package let isDevice: Bool
  /// The pipe, FIFO or socket that an output goes to: other descriptors may lead to it, and what is written there by both
  /// would be mixed.
  package let pipe: FileNumber?

  /// A file's device and inode. Hard links to a file have the same.
  package struct FileNumber: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64

    package init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }

    fileprivate init(_ status: stat) {
      self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
  }

  /// - Parameter isOutput: whether the path is an output's, of which `-` is standard output.
  package init(_ path: String, isOutput: Bool = false, folders: inout FolderIdentities) {
    var status = stat()
    let isThere: Bool
    let isDescriptor: Bool
    switch isOutput ? LinkEnd(output: path) : LinkEnd(path) {
    case .descriptor(let descriptor):
      // It has one place for its bytes, whatever it leads to.
      place = FilePlace(
        name: ExactText("\(descriptor)"),
        folder: FolderIdentity(device: 0, number: 0, missing: ["descriptors"]))
      (isThere, isDescriptor) = (fstat(descriptor, &status) == 0, true)
    case .path(let path):
      let (folder, name) = SplitPath.split(path)
      place = FilePlace(name: ExactText(name), folder: folders[folder ?? "."])
      (isThere, isDescriptor) = (lstat(path, &status) == 0, false)
    }
    let kind = status.st_mode & S_IFMT
    let isPipe = isOutput && (kind == S_IFIFO || kind == S_IFSOCK)
    pipe = isThere && isPipe ? FileNumber(status) : nil
    isDevice =
      isThere && !isDescriptor && kind != S_IFREG && kind != S_IFDIR && kind != S_IFLNK
    file = isThere && (!isDescriptor || kind == S_IFREG) ? FileNumber(status) : nil
  }

  /// Whether several outputs may go there: to a terminal or a device such as `/dev/null`. In a pipe they would be mixed.
  package var isShared: Bool { isDevice && pipe == nil }

  /// The file, or an output's pipe.
  package var number: FileNumber? { pipe ?? file }

  /// Whether both paths led to one file, pipe or place.
  package func isSame(as other: FileLocation) -> Bool {
    place == other.place || (number != nil && number == other.number)
  }
}

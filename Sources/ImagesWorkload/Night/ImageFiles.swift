import Foundation
import SkyFiles
import SkyNetCommand

/// The files that the images of a run read and write. It refuses an image whose output would replace
/// another image's output, or a file that the run reads, also where the paths differ and links lead
/// to the same file.
///
/// An image costs a look at each of its files. Folders are looked at once.
struct ImageFiles {
  private var folders = FolderIdentities()
  private var uses: [FilePlace: FileUse] = [:]
  /// The place of each file that existed when it was added, to find hard links to it.
  private var places: [FileLocation.FileNumber: FilePlace] = [:]
  /// Further places of such a file.
  private var links: [FileLocation.FileNumber: Set<FilePlace>] = [:]
  private var missingFolders: Set<ExactText> = []

  /// - Parameters:
  ///   - written: the run's own outputs, such as its journal, with their options.
  ///   - read: the files that the run reads for all images, with their options. Images may name them
  ///     again.
  /// - Throws: ``FileClash``.
  init(written: [FileOption] = [], read: [FileOption] = []) throws {
    try add(nil, reads: read, writes: written)
  }

  /// Adds an image. Nothing is added if it is refused.
  ///
  /// - Parameters:
  ///   - image: the image's name, as it was given.
  ///   - reads: the image's file and others that are read for it, with their options. Several images
  ///     may read one file.
  ///   - writes: the image's outputs, with their options.
  /// - Throws: ``FileClash``.
  mutating func add(_ image: String, reads: [FileOption], writes: [FileOption]) throws(FileClash) {
    try add(.some(image), reads: reads, writes: writes)
  }

  /// Whether a file is an output of the run. A folder that is followed may be one that outputs go to.
  mutating func isOutput(_ path: String) -> Bool {
    use(of: FileLocation(path, folders: &folders))?.isWritten == true
  }

  /// Makes the folders of all outputs added so far that do not exist, with those above them.
  ///
  /// - Throws: ``OutputFolderError``; the folders made before stay.
  mutating func makeFolders() throws(OutputFolderError) {
    guard !missingFolders.isEmpty else { return }
    defer {
      folders.forgetMissing()
      // Another path may lead to a new folder, which now has an identity of its own.
      for (place, use) in uses where !place.folder.missing.isEmpty {
        uses[place] = nil
        uses[use.location(&folders).place] = use
      }
    }
    for folder in missingFolders.sorted() { try OutputFolderError.make(folder.text) }
    missingFolders = []
  }

  private mutating func add(
    _ image: String?, reads: [FileOption], writes: [FileOption]
  ) throws(FileClash) {
    var news: [(use: FileUse, location: FileLocation)] = []
    for (files, isWritten) in [(reads, false), (writes, true)] {
      for case (let flag, let path?) in files {
        let use = FileUse(image: image, flag: flag, path: path, isWritten: isWritten)
        let location = FileLocation(path, isOutput: isWritten, folders: &folders)
        guard !isWritten || !location.isShared else { continue }
        if let other = self.use(of: location) { try FileClash.check(other, use) }
        for other in news where location.isSame(as: other.location) {
          try FileClash.check(other.use, use)
        }
        news.append((use, location))
      }
    }
    for (use, location) in news { record(use, location) }
  }

  private mutating func record(_ use: FileUse, _ location: FileLocation) {
    let place = location.place
    uses[place] = use
    if let file = location.number, let first = places.updateValue(place, forKey: file),
      first != place
    {
      links[file, default: []].insert(first)
    }
    if use.isWritten, !place.folder.missing.isEmpty, let folder = SplitPath.split(use.path).folder,
      !OddName.isOne(folder)
    {
      missingFolders.insert(ExactText(folder))
    }
  }

  /// What the file at a location is used for, by this path or another.
  private mutating func use(of location: FileLocation) -> FileUse? {
    if let use = uses[location.place] { return use }
    guard let file = location.number, let place = places[file] else { return nil }
    for place in [place] + (links[file] ?? []) {
      // The file may have been replaced since, and its number given to another file.
      guard let use = uses[place], use.location(&folders).number == file else {
        continue
      }
      return use
    }
    return nil
  }
}

/// A file that a run reads or writes.
struct FileUse: Hashable {
  /// The image's name as it was given; `nil` for a file of the run itself.
  let image: String?
  /// The option that names the file, without its dashes.
  let flag: String
  let path: String
  let isWritten: Bool

  fileprivate func location(_ folders: inout FolderIdentities) -> FileLocation {
    FileLocation(path, isOutput: isWritten, folders: &folders)
  }

  fileprivate var owner: String { image.map { "--\(flag) of \($0)" } ?? "--\(flag)" }
}

/// Two uses of one file, of which one would destroy what the other has there.
struct FileClash: Error, Hashable, CustomStringConvertible {
  let output: FileUse
  /// Reads the file, or writes it too and came later.
  let other: FileUse

  /// - Throws: the clash, unless both only read the file.
  fileprivate static func check(_ one: FileUse, _ later: FileUse) throws(FileClash) {
    guard one.isWritten || later.isWritten else { return }
    throw one.isWritten
      ? FileClash(output: one, other: later) : FileClash(output: later, other: one)
  }

  /// The fault, both images, the file, and the next step.
  var description: String {
    guard other.isWritten else {
      let file = SameFile(output.path, other.path)
      return "\(output.owner) would replace \(file), "
        + "which \(other.image.map { "is read for \($0)" } ?? "--\(other.flag) reads"): "
        + "give the output another name"
    }
    guard let one = output.image, let two = other.image, output.flag == other.flag else {
      return "\(output.owner) and \(other.owner) name the same file, "
        + "\(SameFile(output.path, other.path)): give each its own"
    }
    guard ExactText(one) != ExactText(two) else { return "\(one) is given twice: leave one out" }
    return
      "\(one) and \(two) would both write \(SameFile(output.path, other.path)): \(nextStep(one, two))"
  }

  private func nextStep(_ one: String, _ two: String) -> String {
    // A placeholder that tells the images apart would have made different paths.
    let (one, two) = (ImageName(one), ImageName(two))
    if ExactText(output.path) == ExactText(other.path) {
      if ExactText(one.path) == ExactText(two.path), one.extension != two.extension {
        return "put {ext} into --\(output.flag)"
      }
      let folders = [one, two].map { ExactText(SplitPath.split($0.path).folder ?? ".") }
      if folders[0] != folders[1] {
        return "put {dir} into --\(output.flag)"
      }
    }
    return "rename one, or scan it in a run of its own"
  }

  private struct SameFile: CustomStringConvertible {
    let description: String
    init(_ one: String, _ other: String) {
      description = ExactText(one) == ExactText(other) ? one : "one file, \(one) and \(other)"
    }
  }
}

import Logging
import SkyCatalog
import SkyFITS
import SkyFiles
import SkyNetCommand
import Synchronization

/// Where the images of a night come from: those that the command names, and then those of a followed directory.
actor NightQueue {
  private var entries: ArraySlice<NightEntry>
  private let directory: FollowedDirectory?
  private let patterns: NightPatterns
  /// The extension that `--extension` names.
  private let choice: String?
  private let console: Console
  /// What the images read and write, by which clashes are found.
  private var files: ImageFiles
  /// What killed processes left of the images' outputs.
  private var partial = PartialFiles()
  /// How many images were taken.
  private var taken = 0
  private let expected: Mutex<Int?>
  /// Folders are listed and made here, which blocks.
  private let executor = FITSQueue()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter files: holds the files of the entries already.
  init(
    _ entries: [NightEntry], following directory: FollowedDirectory?, _ patterns: NightPatterns,
    files: ImageFiles, extension choice: String?, _ console: Console
  ) {
    self.entries = entries[...]
    self.directory = directory
    self.patterns = patterns
    self.choice = choice
    self.console = console
    self.files = files
    expected = Mutex(directory == nil ? entries.count : nil)
  }

  /// How many images there will be, as far as it is known; `nil` while a directory is followed.
  nonisolated var expectedCount: Int? { expected.withLock { $0 } }

  /// The images that were not taken.
  var left: [String] { entries.map(\.text) }

  /// Waits for the next image; `nil` if none is left.
  ///
  /// - Throws: `FollowError`; `ValidationError` if a followed file's name chooses another extension than the option;
  ///   `CancellationError`.
  func next() async throws -> NightEntry? {
    guard var entry = try await nextEntry() else { return nil }
    entry.position = taken
    taken += 1
    if entry.refusal == nil {
      for case let path? in patterns.ownOutputs(for: entry).map(\.path) {
        partial.removeLeft(of: OutputFile(unchecked: path))
      }
    }
    return entry
  }

  private func nextEntry() async throws -> NightEntry? {
    if let entry = entries.popFirst() { return entry }
    guard let directory else { return nil }
    while let news = try await directory.next() {
      switch news {
      case .frame(let path):
        guard !files.isOutput(path) else { continue }
        var entry = try NightEntry(path, extension: choice)
        entry.refusal = refusal(of: entry)
        return entry
      case .rewritten(let path):
        console.line(
          "\(path) was written again after it was taken; that is not scanned in this run",
          level: .warning)
      case .again(let path, let former):
        console.line("\(path) is \(former), which was taken already")
      }
    }
    return nil
  }

  /// The files of the followed directory that never became complete.
  func unfinished() async -> [UnfinishedFile] { await directory?.unfinished ?? [] }

  /// The images of a file that has several take the place of the file, which was taken last.
  ///
  /// - Parameter images: the file's images.
  func replace(_ entry: NightEntry, by images: [NightEntry]) {
    let images = images.map { image in
      var image = image
      guard image.refusal == nil else { return image }
      image.refusal =
        patterns.tellExtensionsApart
        ? refusal(of: image)
        : "its file has \(images.count) images, which would be written to one file: put {ext} into "
          + "the outputs' names"
      return image
    }
    entries = (images + entries)[...]
    taken -= 1
    expected.withLock { $0? += images.count - 1 }
  }

  /// Adds an image's files to those of the run. Returns why the image cannot be scanned, if it cannot.
  private func refusal(of entry: NightEntry) -> String? {
    if let odd = patterns.oddName(of: entry) { return odd }
    do {
      try files.add(
        entry.text, reads: [("image", entry.name.path)],
        writes: patterns.ownOutputs(for: entry))
      try files.makeFolders()
      return nil
    } catch {
      return "\(error)"
    }
  }
}

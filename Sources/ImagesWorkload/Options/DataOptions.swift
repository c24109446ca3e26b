import ArgumentParser
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyNetKeys
import SkyNetMetrics
import SkyScan

/// Which images a node reads from its own disks for engagements that name them.
struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Read images below this directory for every engagement that has the same files, instead of being sent their \
      pixels. All members may then learn what is in FITS files there. It may be given several times. Without it, \
      only an engagement of this machine and account names files. Symbolic links below it are not followed.
      """, valueName: "dir"), completion: .directory)
  var data: [String] = []

  func validate() throws {
    guard !data.contains("") else {
      throw ValidationError("--data is empty, but a directory's name is needed")
    }
  }

  /// - Parameter files: the node's own files, such as its key, which are never read.
  /// - Throws: `FITSError` if a directory does not exist.
  func access(except files: [String]) throws -> DataAccess {
    // What a change of the key leaves beside it is as secret as the key.
    let files = files + files.map { $0 + ".old" }
    return try DataAccess(data, ownFiles: files + KeySource.directories())
  }
}

/// Where the nodes have the files that this engagement scans.
struct DataRootOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Files below the directory A of this machine are below B at the nodes: nodes that read images themselves \
      (skynet node --data) look there. It may be given several times; the first that fits counts.
      """, valueName: "A=B"))
  var dataRoot: [String] = []

  func validate() throws { _ = try roots }

  private var roots: [FileReferences.Root] {
    get throws {
      try dataRoot.map { text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[1].isAbsolutePath else {
          throw ValidationError(
            "--data-root is \"\(text)\", but A=B is needed: a directory here, and its absolute path at the nodes"
          )
        }
        guard let root = FileReferences.Root(here: parts[0], there: parts[1]) else {
          throw ValidationError(
            "--data-root: there is no directory \(parts[0]) here, or \(parts[1]) is no plain path")
        }
        return root
      }
    }
  }

  /// What a run's jobs share about the systems that read files themselves.
  func references(_ console: Console) throws -> FileReferences {
    FileReferences(roots: try roots, tell: { console.line($0) })
  }
}

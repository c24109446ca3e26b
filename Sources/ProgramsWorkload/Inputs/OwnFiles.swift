import SkyFiles
import SkyNetCommand
import SkyPrograms

/// The files that a run itself writes, which are no inputs of it: a pattern finds them when the run goes on.
struct OwnFiles {
  private var folders = FolderIdentities()
  private var places: Set<FilePlace> = []

  /// - Parameters:
  ///   - files: those that options name.
  ///   - past: the inputs of earlier processes, whose outputs are the run's, too.
  ///   - names: the names of outputs' files, if outputs become files.
  init(_ files: [FileOption], past: PastInputs, _ names: OutputNames?) {
    for case (_, let path?) in files where path != "-" {
      places.insert(FileLocation(path, folders: &folders).place)
    }
    guard let names else { return }
    for input in past.all {
      guard let path = try? names.path(of: input.facts.templateInput) else { continue }
      places.insert(FileLocation(path, folders: &folders).place)
    }
  }

  /// Whether a file is one of these, or what a killed process has left of one.
  mutating func has(_ path: String) -> Bool {
    guard !places.isEmpty else { return false }
    if places.contains(FileLocation(path, folders: &folders).place) { return true }
    guard let target = PartialFiles.target(ofPath: path) else { return false }
    return places.contains(FileLocation(target, folders: &folders).place)
  }
}

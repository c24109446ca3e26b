import SkyFiles
import SkyNetCommand

/// The files that outputs become, by which it is found that two inputs would have one, or that one would replace an input.
struct OutputClaims {
  private var folders = FolderIdentities()
  /// What each file is for.
  private var owners: [FilePlace: String] = [:]
  private var inputs: Set<FileLocation.FileNumber> = []

  /// - Parameter run: the run's own files, with their options.
  init(run: [FileOption] = []) {
    for case (let flag, let path?) in run {
      owners[FileLocation(path, folders: &folders).place] = "--\(flag)"
    }
  }

  /// Files that programs read.
  mutating func read(_ files: [String]) {
    for file in files {
      if let number = FileLocation(file, folders: &folders).file { inputs.insert(number) }
    }
  }

  /// Claims the file of an input's output. Devices have room for several.
  ///
  /// - Returns: why the input cannot have it; `nil` if it can.
  mutating func claim(_ path: String, for input: String) -> String? {
    let location = FileLocation(path, folders: &folders)
    guard !location.isDevice else { return nil }
    if let file = location.file, inputs.contains(file) {
      return
        "--output would replace \(path), which is an input: give outputs a folder or an ending of their own"
    }
    guard let owner = owners.updateValue(input, forKey: location.place) else { return nil }
    owners[location.place] = owner
    return owner == input
      ? "\(input) is given twice, and both outputs would be \(path): leave one out, or put {#} into --output"
      : "\(owner) and \(input) would both write \(path): put {#} into --output, or {//} for their folders"
  }
}

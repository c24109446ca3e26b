package import SkyFiles

extension ProgramInput {
  /// All that the program and its run depend on, and what becomes of its output. A proof for these bytes is for nothing
  /// else.
  package func proofBytes(_ settings: ProgramSettings) -> ProvenBytes {
    var bytes = ProvenBytes("program")
    bytes.add(all: settings.words) { $0.add($1) }
    bytes.add(settings.directory) { $0.add($1) }
    bytes.add(settings.files) { bytes, files in bytes.add(all: files) { $0.add($1) } }
    bytes.add(settings.watched) { bytes, files in bytes.add(all: files) { $0.add($1) } }
    bytes.add(settings.givesInput)
    bytes.add(all: settings.failFast) { $0.add($1) }
    bytes.add(settings.form.rawValue)
    bytes.add(settings.outputLimit)
    bytes.add(settings.sendsErrors)
    bytes.add(number)
    bytes.add(place) { $0.add($1) }
    bytes.add(text) { $0.add($1) }
    bytes.add(isWhole ?? false)
    bytes.add(files) { bytes, files in bytes.add(all: files) { $0.add($1) } }
    bytes.add(folder) { bytes, folder in
      bytes.add(folder.device)
      bytes.add(folder.inode)
      bytes.add(folder.token) { $0.add($1) }
    }
    bytes.add(variables) { bytes, variables in
      bytes.add(all: variables.sorted { $0.key < $1.key }) { bytes, variable in
        bytes.add(variable.key)
        bytes.add(variable.value)
      }
    }
    return bytes
  }
}

extension ProvenBytes {
  fileprivate mutating func add(_ file: WatchedFile) {
    add(file.name)
    add(file.version) { bytes, version in
      bytes.add(version.path)
      bytes.add(version.state.device)
      bytes.add(version.state.inode)
      for number in version.state.version { bytes.add(number) }
      bytes.add(version.digest) { $0.add($1) }
      bytes.add(version.platform) { $0.add($1) }
    }
  }
}

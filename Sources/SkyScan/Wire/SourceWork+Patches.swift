import SkyDetection

extension SourceWork {
  /// All patches, in order.
  var patches: [ImagePatch] {
    var patches: [ImagePatch] = []
    var work = self
    work.changePatches { patches.append($0) }
    return patches
  }

  /// Changes each patch, in order.
  mutating func changePatches<Failure: Error>(
    _ change: (inout ImagePatch) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .background(var patch):
      try change(&patch)
      self = .background(patch)
    case .detection(let number, var patch, let background):
      try change(&patch)
      self = .detection(number, patch, background)
    case .whole(var patch):
      try change(&patch)
      self = .whole(patch)
    case .components(var components):
      for index in components.indices { try change(&components[index].patch) }
      self = .components(components)
    case .cleaned(var patches):
      for index in patches.indices { try change(&patches[index].patch) }
      self = .cleaned(patches)
    }
  }
}

extension SectorFiles {
  /// What the proof of the account is for: which files are asked for.
  var provenBytes: [UInt8] {
    // No path has a zero byte, so no two lists of paths are the same text.
    let text = [("image", image), ("weights", weights)].map { role, file in
      role + (file?.paths ?? []).map { "\0" + $0 }.joined() + "\0\0"
    }
    return Array(text.joined().utf8)
  }
}

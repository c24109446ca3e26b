/// The format of a file, told by its first bytes.
enum FileSignature {
  case fits, gzip
  /// Written by compress or pack, or a ZIP archive. SkyNet reads none of them.
  case otherCompressed
  case other

  init(start: some Sequence<UInt8>) {
    let start = Array(start.prefix(9))
    if start.starts(with: Array("SIMPLE  =".utf8)) {
      self = .fits
    } else if start.starts(with: [0x1f, 0x8b]) {
      self = .gzip
    } else if [[0x1f, 0x9d], [0x1f, 0x1e], [0x1f, 0xa0], Array("PK".utf8), Array("BZh".utf8)]
      .contains(where: { start.starts(with: $0) })
    {
      self = .otherCompressed
    } else {
      self = .other
    }
  }
}

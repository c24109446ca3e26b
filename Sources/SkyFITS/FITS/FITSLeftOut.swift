/// What a file has besides its images, and a catalogue of all of them would miss.
struct FITSLeftOut: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// An extension whose header cannot be read. Nothing behind it can be found.
  static let damage = FITSLeftOut(rawValue: 1)
  /// Bytes behind the last extension that belong to none, and are no padding.
  static let otherBytes = FITSLeftOut(rawValue: 2)
  /// A table of text, which SExtractor scans as if it were an image.
  static let textTable = FITSLeftOut(rawValue: 4)
}

extension FITSHandle {
  /// What follows the last unit that CFITSIO can read.
  ///
  /// The FITS Standard 4.0 (3.5) allows records there that do not begin with XTENSION. What looks like an extension is
  /// taken for a damaged one: a header's keywords in the first block, XTENSION at the start of any block, or its card
  /// within the unit's last block, which was not filled up. Zeros and blanks are padding, and all else is other bytes.
  ///
  /// - Parameter end: the byte behind that unit's last block.
  func leftOut(behind end: Int) -> FITSLeftOut {
    guard end > 0, end < contents.count else { return [] }
    let rest = UnsafeRawBufferPointer(start: contents.start + end, count: contents.count - end)
    func begins(_ place: Int, with text: StaticString) -> Bool {
      let text = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      return place + text.count <= rest.count && rest[place...].starts(with: text)
    }
    let (card, block) = (80, 2880)
    let hasCards = stride(from: 0, to: min(block, rest.count), by: card).contains { place in
      begins(place, with: "BITPIX  =") || begins(place, with: "NAXIS   =")
    }
    let start = max(0, end - block)
    let lastBlock = UnsafeRawBufferPointer(
      start: contents.start + start, count: min(end + card, contents.count) - start)
    if hasCards || lastBlock.firstRange(of: Array("XTENSION= ".utf8)) != nil
      || stride(from: 0, to: rest.count, by: block).contains(where: {
        begins($0, with: "XTENSION")
      })
    {
      return .damage
    }
    return rest.allSatisfy { $0 == 0 || $0 == UInt8(ascii: " ") } ? [] : .otherBytes
  }
}

import SkyNetCommand

/// Whether a file has all the bytes that its headers tell of.
///
/// A FITS file (Standard 4.0, 3.1) is a row of units, each a header in blocks of 2880 bytes and data
/// whose length the header tells. So a file that is being written tells itself how long it will be,
/// at least to the end of the unit that is being written.
enum FITSExtent: Equatable, Sendable {
  /// All units are there, to the last one's last pixel. The blanks or zeros that fill up the last
  /// block may be missing, as some programs leave them out.
  case complete
  /// The file needs at least this many bytes.
  case short(needed: Int)
  /// The file is gzipped, so only its writer knows whether it is complete.
  case unknown
  /// The file is no FITS file; the fault is the rest of a sentence that begins with its name.
  case notFITS(String)

  static let block = 2880
  /// More than any file's headers: 188 MB of cards.
  private static let mostBlocks = 1 << 16

  /// Walks through the headers. Of each unit only the header is read.
  ///
  /// - Parameters:
  ///   - size: the file's length in bytes.
  ///   - read: reads as many bytes as the array has, from an offset; `false` if they are not there.
  init(size: Int, read: (_ offset: Int, _ bytes: inout [UInt8]) -> Bool) {
    var walk = FITSWalk(size: size)
    self = walk.run(mostBlocks: Self.mostBlocks, read: read)
  }
}

/// The walk through the headers of a file.
private struct FITSWalk {
  let size: Int
  private var offset = 0
  private var hasData = false
  private var blocks = 0

  init(size: Int) { self.size = size }

  mutating func run(
    mostBlocks: Int, read: (_ offset: Int, _ bytes: inout [UInt8]) -> Bool
  ) -> FITSExtent {
    while true {
      if offset >= size, offset > 0 {
        // A file without a pixel is one whose writer has written only the first header.
        return hasData ? .complete : .short(needed: offset + FITSExtent.block)
      }
      var header = FITSUnitHeader()
      let start = offset
      repeat {
        guard blocks < mostBlocks else { return .notFITS("has headers without end") }
        blocks += 1
        var bytes = [UInt8](repeating: 0, count: min(FITSExtent.block, size - offset))
        let isRead = bytes.isEmpty || read(offset, &bytes)
        if offset == start, let verdict = self.verdict(onStart: bytes) { return verdict }
        guard isRead, bytes.count == FITSExtent.block else {
          return .short(needed: offset + FITSExtent.block)
        }
        if let fault = header.add(bytes) { return .notFITS(fault) }
        offset += FITSExtent.block
      } while !header.isEnded
      switch header.dataLength {
      case .success(let length):
        let (end, isTooLong) = offset.addingReportingOverflow(length)
        guard !isTooLong, end <= Int.max - FITSExtent.block else {
          return .notFITS("has a header of an impossible size")
        }
        guard end <= size else { return .short(needed: end) }
        hasData = hasData || length > 0
        offset = (end + FITSExtent.block - 1) / FITSExtent.block * FITSExtent.block
      case .failure(let fault): return .notFITS(fault.text)
      }
    }
  }

  /// What the beginning of a unit tells already: it is none, or the file is gzipped, or ends before
  /// it can be told.
  private func verdict(onStart bytes: [UInt8]) -> FITSExtent? {
    let keyword = Array((offset == 0 ? "SIMPLE  =" : "XTENSION=").utf8)
    if bytes.starts(with: keyword) { return nil }
    if offset == 0, bytes.starts(with: [0x1f, 0x8b]) {
      // A header and a trailer of gzip have 18 bytes.
      return size < 18 ? .short(needed: 18) : .unknown
    }
    let isTooShortToTell = bytes.count < keyword.count && keyword.starts(with: bytes)
    if isTooShortToTell { return .short(needed: offset + FITSExtent.block) }
    guard offset == 0 else {
      // What follows the last unit is no unit: some programs fill files up, and readers pass over it.
      return hasData ? .complete : .short(needed: size + FITSExtent.block)
    }
    return .notFITS("does not begin as a FITS file does")
  }
}

/// Those cards of a unit's header that tell the length of its data (FITS Standard 4.0, 4.4.1 and
/// 7.3.1 for arrays, 6.1.1 for random groups).
private struct FITSUnitHeader {
  struct Fault: Error { let text: String }

  private(set) var isEnded = false
  private var numbers: [String: Int] = [:]
  private var hasGroups = false

  /// Takes a block of 36 cards.
  ///
  /// - Returns: a fault, if a number is none.
  mutating func add(_ block: [UInt8]) -> String? {
    for start in stride(from: 0, to: block.count, by: 80) {
      let card = block[start..<start + 80]
      let keyword = String(decoding: card.prefix(8), as: UTF8.self)
      if keyword == "END     " {
        isEnded = true
        return nil
      }
      guard card[start + 8] == UInt8(ascii: "="), Self.isOfInterest(keyword) else { continue }
      let value = card[(start + 10)...].drop { $0 == 0x20 }
      if keyword == "GROUPS  " {
        hasGroups = value.first == UInt8(ascii: "T")
        continue
      }
      let digits = value.prefix { $0 != 0x20 && $0 != UInt8(ascii: "/") }
      let name = String(keyword.prefix { $0 != " " })
      guard let number = Int(String(decoding: digits, as: UTF8.self)) else {
        return "has a \(name) that is no number"
      }
      // Readers take the first of two cards.
      if numbers[name] == nil { numbers[name] = number }
    }
    return nil
  }

  private static func isOfInterest(_ keyword: String) -> Bool {
    ["BITPIX  ", "PCOUNT  ", "GCOUNT  ", "GROUPS  "].contains(keyword)
      || (keyword.hasPrefix("NAXIS")
        && keyword.dropFirst(5).prefix { $0 != " " }.allSatisfy(\.isNumber))
  }

  /// The bytes of data that follow the header, without what fills up the last block.
  var dataLength: Result<Int, Fault> {
    guard let bits = numbers["BITPIX"], [8, 16, 32, 64, -32, -64].contains(bits) else {
      return .failure(Fault(text: "has a header without a valid BITPIX"))
    }
    guard let count = numbers["NAXIS"], (0...999).contains(count) else {
      return .failure(Fault(text: "has a header without a valid NAXIS"))
    }
    guard count > 0 else { return .success(0) }
    var axes: [Int] = []
    for axis in 1...count {
      guard let length = numbers["NAXIS\(axis)"], length >= 0 else {
        return .failure(Fault(text: "has a header without a valid NAXIS\(axis)"))
      }
      axes.append(length)
    }
    let (extra, groups) = (numbers["PCOUNT"] ?? 0, numbers["GCOUNT"] ?? 1)
    guard extra >= 0, groups >= 0 else {
      return .failure(Fault(text: "has a header with a negative PCOUNT or GCOUNT"))
    }
    if hasGroups, axes.first == 0 { axes.removeFirst() }
    var (length, isTooLong) = (1, false)
    func multiply(_ factor: Int) {
      let (product, overflow) = length.multipliedReportingOverflow(by: factor)
      (length, isTooLong) = (product, isTooLong || overflow)
    }
    for axis in axes { multiply(axis) }
    let (sum, overflow) = length.addingReportingOverflow(extra)
    (length, isTooLong) = (sum, isTooLong || overflow)
    multiply(groups)
    multiply(abs(bits) / 8)
    return isTooLong
      ? .failure(Fault(text: "has a header of an impossible size")) : .success(length)
  }
}

import Foundation
package import SkyFiles

/// A text file with cards that replace or add to those of an image's header, as SExtractor,
/// SCAMP and SWarp read one beside the image (HEADER_SUFFIX): one card a line, up to `END`. For a
/// file of several images there is such a block for each of them, in their order.
///
/// This process only reads the file's bytes. The one that reads the image takes the cards out of
/// them.
package struct HeaderFile: Hashable, Sendable {
  /// The file as it was when it was opened.
  package let opened: OpenedFile
  /// The file's text in printable ASCII and line feeds.
  let text: String
  /// The hash of the file's bytes.
  package let hash: String

  package var path: String { opened.path }

  /// The largest size of a header file, in bytes: more than SCAMP writes for a thousand chips.
  static let mostBytes = 16 << 20

  /// Reads the file beside an image whose name has another ending: `sky.head` beside `sky.fits`.
  /// The ending is what follows the last dot of the file's name; `sky.fits.fz` has `sky.fits.head`.
  ///
  /// Blocks the thread.
  ///
  /// - Parameters:
  ///   - image: the image's path.
  ///   - suffix: the ending with its dot (HEADER_SUFFIX).
  /// - Returns: `nil` if there is no such file.
  /// - Throws: ``FITSError`` if the file cannot be read, or is too large.
  package init?(beside image: String, suffix: String) throws {
    let path = Self.path(beside: image, suffix: suffix)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let file = try InputFile(path: path)
    guard file.size <= Self.mostBytes else {
      throw FITSError(
        .tooLarge, path: path,
        fault: "has \(file.size) bytes, and a header file has \(Self.mostBytes) at most",
        nextStep: "name another ending with HEADER_SUFFIX, or move the file away")
    }
    var bytes = [UInt8](repeating: 0, count: file.size)
    try bytes.withUnsafeMutableBytes { try file.read($0, at: 0) }
    var hash = ContentsHash()
    hash.add(bytes)
    opened = OpenedFile(path: path, state: file.stamp.state)
    self.hash = hash.text
    text = String(
      decoding: bytes.map { byte in
        byte == UInt8(ascii: "\n") || (0x20...0x7e).contains(byte)
          ? byte : byte == UInt8(ascii: "\r") ? UInt8(ascii: " ") : UInt8(ascii: "?")
      }, as: UTF8.self)
  }

  /// The path of an image's header file, which need not exist.
  package static func path(beside image: String, suffix: String) -> String {
    let bytes = image.utf8
    let name = SplitPath.split(image).name.utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return image + suffix }
    return String(Substring(bytes[..<dot])) + suffix
  }
}

/// The cards of a block of a header file, of 80 characters each; empty if there is no such block.
///
/// A line without `=` at its ninth character is a comment. Longer lines are cut. Cards about the
/// form of the image's data are left out, as SExtractor does.
///
/// - Parameters:
///   - text: the file's text.
///   - number: the block's number, from 0.
func cards(ofHeaderFile text: String, block number: Int) -> [String] {
  var block = 0
  var cards: [String] = []
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if line == "END" || line.hasPrefix("END ") {
      block += 1
      if block > number { break }
    } else if block == number, isCard(line) {
      let card = String(line.prefix(80))
      cards.append(card + String(repeating: " ", count: 80 - card.count))
    }
  }
  return cards
}

private func isCard(_ line: Substring) -> Bool {
  let keyword = line.prefix(8)
  guard keyword.count == 8, line.dropFirst(8).first == "=", keyword.first != " " else {
    return false
  }
  return !["SIMPLE", "XTENSION", "BITPIX", "NAXIS", "BSCALE", "BZERO"].contains {
    keyword.hasPrefix($0)
  }
}

/// A header with the cards of a header file. As in SExtractor, each takes the place of the first card with
/// the same keyword, and stands at the end if there is none: the order says which card counts for
/// GAIN_KEY.
///
/// Where the file tells the coordinates in another form than the header, the header's form goes:
/// CDi_j and PCi_j, or a distortion that the new types do not have, would contradict each other.
func header(_ header: String, replacing news: [String]) -> String {
  let keywords = Set(news.map { $0.prefix(8) })
  let hasMatrix = keywords.contains { $0.hasPrefix("CD") && $0.contains("_") }
  let hasTypes = news.contains { $0.hasPrefix("CTYPE") && !$0.contains("-SIP") }
  /// Whether a card of another keyword goes.
  func isReplaced(_ card: String) -> Bool {
    let keyword = card.prefix(8)
    if hasMatrix, isOldRotation(keyword) { return true }
    if hasTypes, isOfSIP(card) { return true }
    // RADECSYS and EPOCH are older names.
    switch keyword {
    case "RADESYS ": return keywords.contains("RADECSYS")
    case "RADECSYS": return keywords.contains("RADESYS ")
    case "EQUINOX ": return keywords.contains("EPOCH   ")
    case "EPOCH   ": return keywords.contains("EQUINOX ")
    default: return false
    }
  }
  // The last of several cards with one keyword is valid.
  var added: [Substring: String] = [:]
  for card in news { added[card.prefix(8)] = card }
  let old = cards(of: header).compactMap { card -> String? in
    let keyword = card.prefix(8)
    if keywords.contains(keyword) { return added.removeValue(forKey: keyword) }
    return isReplaced(card) ? nil : card
  }
  let rest = news.compactMap { added.removeValue(forKey: $0.prefix(8)) }
  let end = old.firstIndex { $0.hasPrefix("END ") || $0 == "END" } ?? old.count
  return (old[..<end] + rest + old[end...]).joined()
}

/// Whether the keyword is PCi_j, PC00i00j, CROTAi or CDELTi, which CDi_j stands for.
private func isOldRotation(_ keyword: Substring) -> Bool {
  ["PC1_", "PC2_", "PC00", "CROTA", "CDELT1 ", "CDELT2 "].contains { keyword.hasPrefix($0) }
}

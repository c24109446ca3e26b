import ArgumentParser
import SkyNetCommand

/// The sectors of an image that one process of a batch scans.
enum SectorChoice: Hashable {
  /// Ranges in the command line's order; none overlap.
  case ranges([Range<Int>])
  /// One of several shares of about the same size, which are numbered from 0.
  case share(Int, of: Int)

  /// Reads the value of `--sectors`: `0-9,20`.
  ///
  /// - Throws: `ValidationError`.
  init(sectors text: String) throws {
    var ranges: [Range<Int>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
      guard bounds.count <= 2, case let first?? = bounds.first, case let last?? = bounds.last else {
        throw ValidationError(
          "--sectors: \"\(part)\" is neither a number nor a range: give them as in 0-9,20")
      }
      guard first <= last else {
        throw ValidationError("--sectors: \(part) goes backwards: give \(last)-\(first)")
      }
      let range = first..<last + 1
      if let other = ranges.first(where: { $0.overlaps(range) }) {
        let sector = max(range.lowerBound, other.lowerBound)
        throw ValidationError("--sectors has sector \(sector) twice: leave one out")
      }
      ranges.append(range)
    }
    self = .ranges(ranges)
  }

  /// Reads the value of `--share`: `3/8`.
  ///
  /// - Throws: `ValidationError`.
  init(share text: String) throws {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(Self.number)
    guard parts.count == 2, let number = parts[0], let count = parts[1], count > 0 else {
      throw ValidationError(
        "--share: \"\(text)\" is no share: give its number, from 0, and how many there are, as in 0/8"
      )
    }
    guard number < count else {
      throw ValidationError(
        "--share is \(text), but shares are numbered from 0: the last one is \(count - 1)/\(count)")
    }
    self = .share(number, of: count)
  }

  /// A number of at most nine digits.
  private static func number(_ text: Substring) -> Int? {
    guard (1...9).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    return Int(text)
  }

  /// The sectors of an image that has so many. A share is empty if there are more shares than
  /// sectors.
  func sectors(of count: Int) -> [Range<Int>] {
    switch self {
    case .ranges(let ranges): ranges
    case .share(let number, let shares):
      [count * number / shares..<count * (number + 1) / shares]
    }
  }
}

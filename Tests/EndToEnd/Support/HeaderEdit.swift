import Foundation

/// Changes the header of a FITS file that `SyntheticSky` has written, which has one unit.
enum HeaderEdit {
  /// Puts cards before END, where the header's block has room.
  static func add(_ cards: [String], to path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let text = cards.map { $0.padding(toLength: 80, withPad: " ", startingAt: 0) }.joined()
    let end = try end(of: bytes)
    guard end % 2880 + text.utf8.count <= 2800 else { throw Unexpected("no room for cards") }
    bytes.replaceSubrange(end + 80..<end + 80 + text.utf8.count, with: Data("".utf8))
    bytes.insert(contentsOf: Data(text.utf8), at: end)
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  /// Writes a cube whose first plane is the image, and whose others are zero.
  static func makeCube(of path: String, planes: Int, at cube: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let start = try end(of: bytes) / 2880 * 2880 + 2880
    var head = Data(bytes[..<start])
    let axes = try requireRange(of: "NAXIS   =                    2", in: head)
    head.replaceSubrange(axes, with: Data("NAXIS   =                    3".utf8))
    let sides = try requireRange(of: "NAXIS2  =", in: head)
    let third = "NAXIS3  =                    \(planes)".padding(
      toLength: 80, withPad: " ", startingAt: 0)
    let end = try end(of: head)
    head.removeSubrange(end + 80..<end + 160)
    head.insert(contentsOf: Data(third.utf8), at: sides.lowerBound + 80)
    let plane = bytes[start...]
    try (head + plane + Data(count: plane.count * (planes - 1)))
      .write(to: URL(fileURLWithPath: cube))
  }

  private static func end(of bytes: Data) throws -> Int {
    guard
      let end = stride(from: 0, to: bytes.count, by: 80).first(where: {
        bytes[$0..<$0 + 8] == Data("END     ".utf8)
      })
    else { throw Unexpected("no END") }
    return end
  }

  private static func requireRange(of text: String, in bytes: Data) throws -> Range<Data.Index> {
    guard let range = bytes.range(of: Data(text.utf8)) else { throw Unexpected("no \(text)") }
    return range
  }
}

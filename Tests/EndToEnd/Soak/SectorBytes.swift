import Foundation

/// Reads only the sectors' numbers from a results file, since decoding two million lines would take
/// too long.
struct SectorBytes {
  /// The beginning of every line.
  private static let prefix = Array(#"{"sector":"#.utf8)

  private let handle: FileHandle?
  private var rest: [UInt8] = []
  private var seen: Set<Int> = []
  /// How many lines were read.
  private(set) var count = 0

  init(file: String) {
    handle = FileHandle(forReadingAtPath: file)
  }

  /// How many different sectors were read.
  var distinct: Int { seen.count }

  /// Reads the next part of the file. Returns `false` at its end.
  mutating func readOn() -> Bool {
    guard let data = try? handle?.read(upToCount: 1 << 24), !data.isEmpty else { return false }
    rest.append(contentsOf: data)
    var start = 0
    while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
      note(rest[start..<end])
      start = end + 1
    }
    rest.removeFirst(start)
    return true
  }

  private mutating func note(_ line: ArraySlice<UInt8>) {
    count += 1
    guard line.starts(with: Self.prefix) else { return }
    var number = 0
    for byte in line.dropFirst(Self.prefix.count) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    seen.insert(number)
  }
}

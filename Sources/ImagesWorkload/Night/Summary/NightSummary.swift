import Foundation
import SkyNetCommand

/// The table of a run of many images: what became of each.
struct NightSummary: Equatable, Sendable {
  /// What has become of an image.
  struct Row: Equatable, Sendable {
    enum State: String, Sendable {
      case waiting, running, done
      /// It could not be read, or some of its sectors failed, or its outputs would have replaced other
      /// files.
      case failed
    }

    /// The image's name, as it was given.
    var image: String
    var state = State.waiting
    var sources: Int?
    /// From the image's first task to its catalogue; what processes before this one took included.
    var seconds: Double?
    /// How many of the image's sectors each system scanned.
    var systems: [String: Int] = [:]
    var sectors: Int?
    /// How many of the sectors failed.
    var failed: Int?
    /// Why the image failed.
    var reason: String?
  }

  /// In the order in which the images were given, or came.
  private(set) var rows: [Row] = []

  /// - Parameter index: the image's number, from 0. Images before it may have no row yet.
  mutating func set(_ row: Row, at index: Int) {
    while rows.count <= index { rows.append(Row(image: "")) }
    rows[index] = row
  }

  /// The table as CSV (RFC 4180, with plain newlines), with a line of names. A figure that is not
  /// known is empty, and an image without a row is left out. Systems are `a 12; local 4`, the one with the most sectors first.
  /// No text is a formula.
  var csv: Data {
    var text = "image,state,sources,seconds,systems,sectors,failed,reason\n"
    for row in rows where !row.image.isEmpty {
      var cells = [row.image.asCell, row.state.rawValue, Self.text(of: row.sources)]
      cells.append(row.seconds.map { Self.text(ofSeconds: $0) } ?? "")
      let systems = row.systems.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      cells.append(systems.map { "\($0.key) \($0.value)" }.joined(separator: "; ").asCell)
      cells += [Self.text(of: row.sectors), Self.text(of: row.failed), (row.reason ?? "").asCell]
      text += cells.map { Self.quoted($0) }.joined(separator: ",") + "\n"
    }
    return Data(text.utf8)
  }

  private static func text(of count: Int?) -> String { count.map { "\($0)" } ?? "" }

  private static func text(ofSeconds seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    let digits = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
  }

  /// A cell in quotes, where a reader could take it for several otherwise, or drop its spaces.
  private static func quoted(_ cell: String) -> String {
    let bytes = cell.utf8
    let isSpecial = bytes.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0a || byte == 0x0d
    }
    guard isSpecial || bytes.first == 0x20 || bytes.last == 0x20 else { return cell }
    // Two quotes stand for one. Characters would hide a quote that a combining mark follows.
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { quoted.append(byte) }
      quoted.append(byte)
    }
    quoted.append(UInt8(ascii: "\""))
    return String(decoding: quoted, as: UTF8.self)
  }
}

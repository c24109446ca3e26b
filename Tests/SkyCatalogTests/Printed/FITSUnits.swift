import Foundation

@testable import SkyCatalog

/// A header and data unit of a FITS file that any program wrote.
struct ReadUnit {
  /// The cards without END.
  var cards: [String] = []
  var data: [UInt8] = []

  /// The units of a file.
  static func units(_ bytes: [UInt8]) -> [ReadUnit] {
    var units: [ReadUnit] = []
    var next = 0
    while next < bytes.count {
      var unit = ReadUnit()
      while true {
        let card = String(decoding: bytes[next..<next + 80], as: UTF8.self)
        next += 80
        if card.hasPrefix("END     ") { break }
        unit.cards.append(card)
      }
      next = (next + 2879) / 2880 * 2880
      let size = unit.size
      unit.data = Array(bytes[next..<next + size])
      next += (size + 2879) / 2880 * 2880
      units.append(unit)
    }
    return units
  }

  private var size: Int {
    let axes = Int(self["NAXIS"] ?? "") ?? 0
    guard axes > 0 else { return 0 }
    return (1...axes).reduce(abs(Int(self["BITPIX"] ?? "") ?? 0) / 8) {
      $0 * (Int(self["NAXIS\($1)"] ?? "") ?? 0)
    }
  }

  /// The value of a keyword, without quotes.
  subscript(keyword: String) -> String? { values.last { $0.keyword == keyword }?.value }

  /// The values of all cards that have one.
  var values: [(keyword: String, value: String)] { Self.values(of: cards) }

  /// The cards of a table of cards, LDAC_IMHEAD.
  var storedCards: [String] {
    stride(from: 0, to: data.count, by: 80).map {
      String(decoding: data[$0..<$0 + 80], as: UTF8.self)
    }
  }

  static func values(of cards: [String]) -> [(keyword: String, value: String)] {
    cards.filter { $0.dropFirst(8).hasPrefix("= ") }.map { card in
      let text = card.dropFirst(10).drop { $0 == " " }
      let value =
        text.first == "'" ? text.dropFirst().prefix { $0 != "'" } : text.prefix { $0 != "/" }
      return (
        String(card.prefix { $0 != " " && $0 != "=" }),
        value.trimmingCharacters(in: .whitespaces)
      )
    }
  }
}

extension ReadUnit {
  /// The binary table that the unit is.
  var table: PrintedTable {
    let count = Int(self["TFIELDS"] ?? "") ?? 0
    let fields = count == 0 ? [] : (1...count).map(field)
    let rowCount = Int(self["NAXIS2"] ?? "") ?? 0
    var next = 0
    func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
      defer { next += MemoryLayout<Number>.size }
      return data[next..<next + MemoryLayout<Number>.size].reduce(0) { $0 << 8 | Number($1) }
    }
    let rows = (0..<rowCount).map { _ in
      fields.flatMap { field in
        (0..<field.count).map { _ in
          switch field.type {
          case .int16: Double(Int16(bitPattern: number(UInt16.self)))
          case .int32: Double(Int32(bitPattern: number(UInt32.self)))
          case .float32: Double(Float(bitPattern: number(UInt32.self)))
          case .float64: Double(bitPattern: number(UInt64.self))
          }
        }
      }
    }
    return PrintedTable(fields: fields, rows: rows)
  }

  private func field(_ number: Int) -> PrintedTable.Field {
    let form = self["TFORM\(number)"] ?? ""
    let count = Int(form.dropLast()) ?? 1
    let name = self["TTYPE\(number)"] ?? ""
    let sides = self["TDIM\(number)"].map { text in
      text.split { "(), ".contains($0) }.compactMap { Int($0) }
    }
    let comment = cards.first { $0.hasPrefix("TTYPE\(number) ") }?.components(separatedBy: " / ")
    return PrintedTable.Field(
      name: name, description: comment?[1].trimmingCharacters(in: .whitespaces) ?? "",
      unit: self["TUNIT\(number)"], type: form.last.flatMap(NumberType.init) ?? .float32,
      format: Self.format(self["TDISP\(number)"] ?? "", isSigned: name.hasPrefix("DELTA")),
      dimensions: sides ?? (count == 1 ? [] : [count]))
  }

  /// The format that TDISPn tells. It does not tell whether a number has its sign always.
  private static func format(_ display: String, isSigned: Bool) -> PrintFormat {
    let numbers = display.dropFirst().split(separator: ".").compactMap { Int($0) }
    return switch display.first {
    case "F": .fixed(width: numbers[0], places: numbers[1], signed: isSigned)
    case "G": .general(width: numbers[0], digits: numbers[1])
    case "E": .exponent(width: numbers[0], digits: numbers[1])
    default: .integer(width: numbers[0])
    }
  }
}

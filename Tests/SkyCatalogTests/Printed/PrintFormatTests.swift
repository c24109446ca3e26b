import Foundation
import Testing

@testable import SkyCatalog

@Suite("Numbers as C prints them")
struct PrintFormatTests {
  private static let formats: [(PrintFormat, String)] = [
    (.fixed(width: 11, places: 4), "%11.4f"), (.fixed(width: 8, places: 4), "%8.4f"),
    (.fixed(width: 3, places: 0), "%3.0f"), (.fixed(width: 6, places: 2, signed: true), "%+6.2f"),
    (.fixed(width: 11, places: 7, signed: true), "%+11.7f"),
    (.general(width: 12, digits: 7), "%12.7g"), (.general(width: 10, digits: 4), "%10.4g"),
    (.general(width: 1, digits: 17), "%1.17g"), (.general(width: 4, digits: 1), "%4.1g"),
    (.exponent(width: 18, digits: 10), "%18.10e"), (.exponent(width: 15, digits: 7), "%15.7e"),
    (.exponent(width: 1, digits: 0), "%1.0e"), (.exponent(width: 1, digits: 30), "%1.30e"),
  ]

  /// Numbers where digits are carried, halves are exact, exponents change the form, or doubles end.
  private static let edges: [Double] = [
    0, 1, 10, 0.5, 1.5, 2.5, 0.125, 0.375, 0.00005, 0.00015, 99_999.995, 9_999_999.5, 99_999_995,
    0.0001, 0.00001, 9.999_999_5e-5, 1e15, 1e16, 1e22, 1e23, 1e30, 123_456_789_012_345_680,
    4_503_599_627_370_495.5, 450_359_962_737_049.55, .infinity, .leastNonzeroMagnitude,
    .leastNormalMagnitude,
    .greatestFiniteMagnitude,
  ]

  @Test("Every number has the text of printf", arguments: formats)
  func printf(_ format: PrintFormat, _ word: String) {
    var random = SystemRandomNumberGenerator()
    var values = Self.edges.flatMap { [$0, -$0] }
    for _ in 0..<2000 {
      values.append(Double(bitPattern: random.next()))
      values.append(Double(Float.random(in: -1e5...1e5)))
      values.append(Double(Int.random(in: -10_000_000...10_000_000)) / 1024)
      values.append(Double(Int.random(in: -10_000_000...10_000_000)) / 1e5)
    }
    let wrong = values.filter { !$0.isNaN && text($0, format) != c($0, word) }
    #expect(wrong == [])
  }

  @Test("Whole numbers and what is no number have texts too")
  func others() {
    #expect(text(-12, .integer(width: 5)) == "  -12")
    #expect(text(1_234_567, .integer(width: 3)) == "1234567")
    #expect(text(.nan, .fixed(width: 8, places: 4)) == "     nan")
  }

  @Test("A format is told as TDISP")
  func display() {
    #expect(PrintFormat.fixed(width: 11, places: 7, signed: true).display == "F11.7")
    #expect(PrintFormat.general(width: 12, digits: 7).display == "G12.7")
    #expect(PrintFormat.exponent(width: 18, digits: 10).display == "E18.10")
    #expect(PrintFormat.integer(width: 10).display == "I10")
  }

  private func text(_ value: Double, _ format: PrintFormat) -> String {
    var bytes: [UInt8] = []
    format.append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func c(_ value: Double, _ word: String) -> String {
    var text = [CChar](repeating: 0, count: 512)
    let count = withVaList([value]) { vsnprintf(&text, 512, word, $0) }
    return String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

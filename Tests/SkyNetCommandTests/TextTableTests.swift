import Foundation
import Testing

@testable import SkyNetCommand

@Suite("Tables and figures")
struct TextTableTests {
  private let table = TextTable(
    columns: [
      .init(title: "NAME", least: 6), .init(title: "N", rank: 2, alignsRight: true),
      .init(title: "LOAD", rank: 1), .init(title: "FOR", least: 5),
    ],
    rows: [
      .init(cells: ["a", "12", "0.50", "ada 3, bob 1"]),
      .init(cells: ["a long name", "3", "1.00", "-"]),
    ])

  private func lines(_ columns: Int) -> [String] {
    table.lines(columns: columns).map(\.text)
  }

  @Test("With room, every column is as wide as its widest cell")
  func wide() {
    #expect(
      lines(80) == [
        "NAME          N  LOAD  FOR", "a            12  0.50  ada 3, bob 1",
        "a long name   3  1.00  -",
      ])
  }

  @Test("With less room, cells are cut, and then columns are given up")
  func narrow() {
    #expect(lines(25)[1] == "a         12  0.50  ada …")
    #expect(lines(22)[2] == "a long n…  1.00  -")
    #expect(lines(18).first == "NAME         FOR")
    #expect(lines(13).first == "NAME    FOR")
    #expect(lines(13).allSatisfy { $0.count <= 13 })
  }

  @Test("A column of paths keeps the end of a cell that is cut")
  func paths() {
    let table = TextTable(
      columns: [.init(title: "NAME"), .init(title: "PASS", least: 8, keepsEnd: true)],
      rows: [.init(cells: ["ada", "now night/frame-41.fits"]), .init(cells: ["bob", "pass 2"])])
    #expect(
      table.lines(columns: 16).map(\.text) == [
        "NAME  PASS", "ada   …e-41.fits", "bob   pass 2",
      ])
  }

  @Test("Columns of luxury are given up for one that wants more than its least")
  func luxury() {
    let table = TextTable(
      columns: [
        .init(title: "NAME"), .init(title: "DOES", least: 4, wanted: 12),
        .init(title: "ADDRESS", rank: 8),
      ], rows: [.init(cells: ["a", "ada 3, bob 1, cy 2", "10.0.0.7"])])
    #expect(table.lines(columns: 30)[1].text == "a     ada 3, bob 1,…  10.0.0.7")
    #expect(table.lines(columns: 26)[1].text == "a     ada 3, bob 1, cy 2")
    #expect(table.lines(columns: 11)[1].text == "a     ada …")
  }

  @Test("A bar shows some of any part, and all only of all")
  func bars() {
    #expect(Figures.bar(0, columns: 4) == "░░░░")
    #expect(Figures.bar(0.001, columns: 4) == "█░░░")
    #expect(Figures.bar(0.999, columns: 4) == "███░")
    #expect(Figures.bar(1, columns: 4) == "████" && Figures.bar(7, columns: 4) == "████")
    #expect(Figures.bar(.nan, columns: 4) == "░░░░")
  }

  @Test("The time of day is that of the zone, and a line of bars has its highest for the most")
  func figures() throws {
    #expect(Figures.clock(86_399, in: try #require(TimeZone(secondsFromGMT: 0))) == "23:59:59")
    #expect(Figures.clock(0, in: try #require(TimeZone(secondsFromGMT: -3600))) == "23:00:00")
    #expect(Figures.sparkline([0, 1, 2]) == "▁▄█" && Figures.sparkline([0, 0]) == "▁▁")
  }
}

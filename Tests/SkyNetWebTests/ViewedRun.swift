import Foundation
import SkyNetCore

@testable import SkyNetCluster
@testable import SkyNetWeb

/// A run whose events a test makes.
struct ViewedRun {
  let feed = RunFeed(
    words: RunWords(part: .init("image", "images"), point: .init("source", "sources")))
  private let run = RunID()

  func apply(_ events: EngagementEvent...) {
    for event in events {
      feed.apply(
        EngagementUpdate(run: run, time: .now, event: event, tally: Tally(total: 0)))
    }
  }

  func begin(sectors: Int) {
    apply(.began(name: "sky", sectors: sectors, passes: []), .added(tasks: sectors, pass: 0))
  }

  func handOut(_ sector: Int, to system: String = "b") {
    apply(.handedOut(.init(task: TaskID(sector: sector), system: system)))
  }

  func complete(_ sectors: Range<Int>, by system: String = "b") {
    for sector in sectors {
      handOut(sector, to: system)
      apply(
        .completed(
          SectorResult(sector: sector, result: 0, system: system, attempts: 1, seconds: 0.25)))
    }
  }

  func fail(_ sector: Int, reason: String) {
    apply(
      .failed(
        SectorFailure(
          sector: sector, failures: [FailedAttempt(system: "b", reason: reason)], attempts: 5,
          seconds: 1)))
  }
}

/// What a viewer has been told, put together as a page does it.
struct Told {
  struct Event {
    let name: String
    let data: [String: Any]
  }

  /// The events in bytes of a stream.
  static func events(in bytes: some Sequence<UInt8>) throws -> [Event] {
    try String(decoding: Array(bytes), as: UTF8.self).components(separatedBy: "\n\n")
      .filter { $0.hasPrefix("event: ") }
      .map { text in
        let lines = text.components(separatedBy: "\n")
        let data = try JSONSerialization.jsonObject(
          with: Data(lines[1].dropFirst("data: ".count).utf8))
        return Event(
          name: String(lines[0].dropFirst("event: ".count)), data: data as? [String: Any] ?? [:])
      }
  }

  private(set) var state: [String: Any] = [:]
  /// The cells that were told, each as completed, failed, in flight, system, pass.
  private(set) var cells: [Int: [Int]] = [:]
  private(set) var ended: [[Double]] = []
  private(set) var inFlight: [[Double]] = []
  /// The run over its time, bin by bin, and the kinds of the marks.
  private(set) var bins: [[Double]] = []
  private(set) var marks: [String] = []
  private(set) var skipped = 0
  private(set) var notices: [String] = []
  private(set) var lostNotices = 0
  private(set) var failures: [[String: Any]] = []
  private(set) var sources: [Double] = []
  private(set) var images: [[String: Any]] = []

  mutating func take(_ events: [Event]) {
    for event in events {
      let data = event.data
      switch event.name {
      case "state": state = data
      case "cells":
        for row in Self.rows(of: data["cells"], each: 6) {
          cells[Int(row[0])] = row.dropFirst().map { Int($0) }
        }
      case "attempts":
        inFlight = Self.rows(of: data["inFlight"], each: 6)
        ended += Self.rows(of: data["ended"], each: 8)
        skipped += data["skipped"] as? Int ?? 0
      case "history":
        let told = data["bins"] as? [[NSNumber]] ?? []
        bins.removeSubrange(min(bins.count, data["first"] as? Int ?? 0)...)
        bins += told.map { $0.map(\.doubleValue) }
        marks += (data["marks"] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
      case "failures": failures += data["failures"] as? [[String: Any]] ?? []
      case "images": images += data["images"] as? [[String: Any]] ?? []
      case "sources": sources += Self.rows(of: data["sources"], each: 1).flatMap { $0 }
      case "notices":
        notices += (data["notices"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
        lostNotices += data["lost"] as? Int ?? 0
      default: break
      }
    }
  }

  private static func rows(of value: Any?, each count: Int) -> [[Double]] {
    let numbers = (value as? [NSNumber] ?? []).map(\.doubleValue)
    return stride(from: 0, to: numbers.count, by: count).map {
      Array(numbers[$0..<min($0 + count, numbers.count)])
    }
  }
}

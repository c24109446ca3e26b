import Foundation
import Testing

/// A node that has printed that it is ready.
struct RunningNode {
  let process: RunningProcess
  /// The name that the node has printed.
  let name: String
  let port: Int
  let slots: Int

  /// - Throws: ``Unexpected`` if its line does not have the promised form.
  init(_ process: RunningProcess) async throws {
    self.process = process
    let line = try await process.line(" ready on port ")
    let ready = try #require(
      try /node (.+) ready on port (\d+) with (\d+) slots?/.wholeMatch(in: line))
    name = String(ready.1)
    port = try #require(Int(ready.2))
    slots = try #require(Int(ready.3))
  }
}

/// A running `skynet engage`.
struct RunningEngagement {
  let process: RunningProcess
  let resultsFile: String

  /// Waits until this system has completed this many sectors.
  func completions(_ count: Int = 1, by system: String) async throws {
    try await process.lines(count) { $0.hasPrefix("completed ") && $0.hasSuffix(" by \(system)") }
  }

  /// Interrupts the run, in a test whose run lasts until an event, and expects that no sector was
  /// lost or failed until then.
  @discardableResult
  func stopUndisturbed(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Outcome {
    // A run that is stopped before its first result has nothing to show.
    try await process.line("completed")
    process.send(SIGINT)
    let outcome = try await outcome()
    try outcome.expectUndisturbed(sourceLocation: sourceLocation)
    return outcome
  }

  /// Waits until the run ends by itself, and returns its outcome.
  func outcome() async throws -> Outcome {
    let story = try await process.end()
    let text = (try? String(contentsOfFile: resultsFile, encoding: .utf8)) ?? ""
    return try Outcome(story: story, resultsText: text)
  }
}

/// The output and results of a `skynet engage` that has ended.
struct Outcome {
  let status: Int32?
  let output: [String]
  let errors: [String]
  let resultsText: String
  let results: [SectorLine]

  init(story: RunningProcess.Story, resultsText: String) throws {
    status = story.status
    output = story.output
    errors = story.errors
    self.resultsText = resultsText
    results = try resultsText.split(separator: "\n").map { line in
      try JSONDecoder().decode(SectorLine.self, from: Data(line.utf8))
    }
  }

  /// The summary, which must be the last line on standard error.
  var summary: Summary {
    get throws { try Summary(#require(errors.last)) }
  }

  /// How many sectors each system scanned.
  var shares: [String: Int] {
    results.reduce(into: [:]) { shares, line in
      if let system = line.system { shares[system, default: 0] += 1 }
    }
  }

  /// Expects one result for each of this many sectors, and that all counts agree.
  func expectEverySectorOnce(of total: Int, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    #expect(status == 0, "\(errors.joined(separator: "\n"))", sourceLocation: sourceLocation)
    #expect(
      results.map(\.sector).sorted() == Array(0..<total), sourceLocation: sourceLocation)
    #expect(
      results.allSatisfy { $0.result == .text(String($0.sector)) && $0.attempts > 0 },
      sourceLocation: sourceLocation)
    let summary = try summary
    #expect(
      summary.completed == total && summary.total == total && summary.failed == 0,
      sourceLocation: sourceLocation)
    #expect(summary.tells(of: shares), sourceLocation: sourceLocation)
  }

  /// Expects that the run ended by Ctrl-C with some results, no sector twice and none failed.
  func expectUndisturbed(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(status == 130, "\(errors.joined(separator: "\n"))", sourceLocation: sourceLocation)
    #expect(!results.isEmpty, sourceLocation: sourceLocation)
    #expect(
      Set(results.map(\.sector)).count == results.count, sourceLocation: sourceLocation)
    #expect(
      results.allSatisfy { $0.result == .text(String($0.sector)) }, sourceLocation: sourceLocation)
    let summary = try summary
    #expect(
      summary.failed == 0 && summary.completed == results.count && summary.tells(of: shares),
      sourceLocation: sourceLocation)
  }

  /// The discrepancies: each sector must have one line, with its result or its failures, and the
  /// exit status and the summary must agree.
  ///
  /// - Parameter summarizes: whether the summary counts all results, not only those of the last
  ///   run.
  func discrepancies(of total: Int, summarizes: Bool = true) throws -> [String] {
    let failed = results.filter { $0.result == nil }.count
    var wrong: [String] = []
    if status != (failed == 0 ? 0 : 1) { wrong.append("\(failed) failed, status \(status ?? -1)") }
    let counts = Dictionary(results.map { ($0.sector, 1) }, uniquingKeysWith: +)
    for sector in 0..<total where counts[sector] != 1 {
      wrong.append("sector \(sector) is there \(counts[sector] ?? 0) times")
    }
    if results.contains(where: { !(0..<total).contains($0.sector) }) {
      wrong.append("there are sectors beyond \(total)")
    }
    for line in results {
      let hasResult = line.result == .text(String(line.sector)) && line.system != nil
      let story = line.error ?? []
      let hasStory = !story.isEmpty && story.allSatisfy { !$0.reason.isEmpty }
      if hasResult == hasStory { wrong.append("\(line)") }
    }
    guard summarizes else { return wrong }
    let summary = try summary
    if (summary.completed, summary.total, summary.failed) != (total - failed, total, failed)
      || !summary.tells(of: shares)
    {
      wrong.append("the results are of \(shares) and \(failed) failed, the summary says otherwise")
    }
    return wrong
  }
}

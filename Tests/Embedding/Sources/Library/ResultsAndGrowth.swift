import Foundation
import SkyNetJournal
import SkyNetKit

/// Results of a sequence: their journal, their scan, their end.
func results(_ cluster: Cluster, _ folder: String, isLocal: Bool) async throws {
  let journal = "\(folder)/results-\(isLocal ? "here" : "node").sqlite"
  // No `@Sendable` closure: what stands around it may be changed.
  var sum = 0
  for try await (_, output) in cluster.results(of: Power(of: 2), for: [1, 2, 3], journal: journal)
    .outputs
  {
    sum += output
  }
  print(" 2 first run:", sum)
  do {
    for try await _ in cluster.results(of: Power(of: 2), for: [10, 20, 30], journal: journal) {}
    print(" 2 other inputs: taken for the same run")
  } catch {
    print(" 2 other inputs: refused")
  }

  let counting = Task {
    var count = 0
    for try await _ in cluster.results(of: Power(of: 2), for: 0..<1_000_000) {
      count += 1
      if count == 100 { withUnsafeCurrentTask { $0?.cancel() } }
    }
    return count
  }
  do { print(" 3 cancelled: ends with", try await counting.value) } catch is CancellationError {
    print(" 3 cancelled: CancellationError")
  }
  var cubes: [Int] = []
  for try await (_, output) in cluster.results(of: Power(of: 3), for: [2, 3]).outputs {
    cubes.append(output)
  }
  print(" 3 the value that is given:", cubes.sorted())
  do {
    for try await _ in cluster.results(of: Unregistered(), for: [1]) {}
  } catch let error as EngagementError {
    print(" 3 unregistered: \(error)")
  }
}

/// Work that grows while it runs.
func growth(_ cluster: Cluster) async throws {
  let (crawl, tally) = try await cluster.coordinator().run(Crawl())
  print(" 6 crawl: \(tally.completed) of \(tally.total), \(crawl.seen.count) pages")

  // An endless sequence: taken only as far as it is wanted.
  let taken = Taken()
  let inputs = AsyncStream { await taken.next() }
  var outputs = 0
  for try await _ in cluster.results(of: Power(of: 2), for: inputs) {
    outputs += 1
    if outputs == 100 { break }
  }
  print(
    " 6 of an endless sequence, for 100 outputs: \(await taken.count < 2000 ? "fewer than 2000" : "too many") taken"
  )
}

/// Counts what was taken of a sequence.
actor Taken {
  var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

/// Pages 0 to 126, of which each leads to two others.
struct Crawl: Job {
  typealias Work = Power
  let settings = NoSettings()
  let sectorCount = 1
  var pages = [0]
  var seen: Set<Int> = [0]

  func sector(for task: TaskID) -> Int { pages[task.sector] }

  mutating func receive(_ output: Int, for task: TaskID) -> ReceivedResult {
    let page = pages[task.sector]
    let links = [2 * page + 1, 2 * page + 2].filter { $0 < 127 && seen.insert($0).inserted }
    let first = pages.count
    pages += links
    return ReceivedResult(result: output, added: [TaskRange(sectors: first..<pages.count)])
  }
}

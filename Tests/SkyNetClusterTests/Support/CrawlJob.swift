import SkyNetCore

/// A crawler of probes: each page that it has scanned links to others, whose sectors it adds. It numbers its pages as they
/// come.
struct CrawlJob: Job {
  typealias Work = ProbeScan

  /// A task's result came for another page than the job knows under its number.
  struct WrongPage: Error {
    let output: String
    let page: String
  }

  let settings = "probed"
  let sectorCount: Int
  /// The links of a page, by its name.
  let links: [String: [String]]
  /// The names of the pages, by sector.
  private(set) var pages: [String]
  /// The pages whose outputs were received, in that order.
  private(set) var received: [String] = []
  private(set) var givenUp: [Int] = []
  /// How many numbers are left out before each new page.
  private let gap: Int

  init(_ roots: [String], links: [String: [String]], gap: Int = 0) {
    sectorCount = roots.count
    pages = roots
    self.links = links
    self.gap = gap
  }

  func sector(for task: TaskID) -> Int { task.sector }

  func check(_ output: String, for task: TaskID) throws {
    // It ends the process if the job does not know the page.
    guard output == "probed \(task.sector)", !pages[task.sector].isEmpty else {
      throw WrongPage(output: output, page: pages[task.sector])
    }
  }

  mutating func receive(_ output: String, for task: TaskID) -> ReceivedResult {
    received.append(pages[task.sector])
    var added: [TaskRange] = []
    for page in links[pages[task.sector], default: []] {
      pages += Array(repeating: "", count: gap) + [page]
      added.append(TaskRange(sectors: pages.count - 1..<pages.count))
    }
    return ReceivedResult(result: pages[task.sector], added: added)
  }

  mutating func gaveUp(_ task: TaskID, reason: String) { givenUp.append(task.sector) }
}

package import ArgumentParser
import Foundation
import SkyFiles
package import SkyNetCluster
package import SkyNetCore
import SkyNetKit
package import SkyNetViews
package import SkyNetWeb
import Synchronization

/// The page of an engagement, if there is to be one.
package final class RunPage: RunObserver, RunSurrounding {
  package let feed: RunFeed
  /// Whether the page outlives the run.
  package let isKept: Bool
  private static let absence = Duration.seconds(3)

  private let options: PageOptions
  private let isOnTerminal: Bool
  private let stayed: Mutex<Stayed>
  private let name: String
  private let journal: String?
  private let began = Date.now.timeIntervalSince1970

  /// `nil` without `--web`.
  ///
  /// - Parameters:
  ///   - words: those of the workload.
  ///   - grid: how the sectors lie on the picture; `nil` if they are a numbered field.
  ///   - picture: what is scanned.
  package init?(
    _ options: RunOptions, of job: some Job, words: RunWords, grid: PictureGrid? = nil,
    picture: PagePicture? = nil
  ) {
    guard options.page.web != nil else { return nil }
    self.options = options.page
    isKept = options.keepsPage
    stayed = Mutex(Stayed(stay: isKept ? .untilSignal : .none))
    isOnTerminal = Console.standardError.isTerminal
    name = options.systems.name ?? Machine.name
    journal = options.journal
    feed = RunFeed(
      words: words, weights: job.passes.map(\.weight), grid: grid, picture: picture,
      localSlots: options.localSlots)
  }

  package func hear(_ update: EngagementUpdate) { feed.apply(update) }

  package func stops(at signal: ExitCode) { feed.stops() }

  /// The run has ended, and its page tells what it has come to.
  ///
  /// - Parameter outputs: the files that it may have written, with the options that name them.
  package func ended(_ tally: Tally, wasStopped: Bool, _ outputs: [FileOption]) {
    stayed.withLock { stayed in
      let isWatched = stayed.page.map { $0.viewerCount() > 0 } ?? false
      stayed.stay =
        wasStopped
        ? .none
        : isKept ? .untilSignal : isWatched && isOnTerminal ? .untilViewersLeave : .none
    }
    // A page that goes away hands out nothing.
    let documents = stay == .none ? [] : documents(outputs)
    feed.ended(RunEnding(summary: SummaryLine.text(tally), documents: documents))
  }

  private func documents(_ outputs: [FileOption]) -> [PageDocument] {
    var documents: [PageDocument] = []
    for case (let flag, let path?) in outputs where !FileIdentity.isStream(path) {
      guard let kind = PageDocument.Kind(rawValue: flag),
        let document = PageDocument(
          kind, file: path, number: documents.count, writtenSince: began)
      else { continue }
      documents.append(document)
    }
    if let journal {
      documents.append(
        PageDocument(reportOf: journal) { try await RunReportPage.make(of: journal).html })
    }
    return documents
  }

  /// How long the page stays when its run has ended.
  var stay: Stay { stayed.withLock { $0.stay } }

  enum Stay {
    case none, untilSignal, untilViewersLeave

    /// What people are told.
    var text: String? {
      switch self {
      case .none: nil
      case .untilSignal: "the page stays up until Ctrl-C"
      case .untilViewersLeave: "the page stays up until it is closed in the browser, or Ctrl-C"
      }
    }
  }

  private struct Stayed: Sendable {
    var page: ServedPage?
    var stay: Stay
  }

  /// Serves the page while a run goes on, and then for as long as ``stay`` says.
  ///
  /// - Throws: `ExitCode` if it cannot listen; what `run` throws.
  package func during<Ended: Sendable>(_ run: () async throws -> Ended) async throws -> Ended {
    try await options.serve(feed, name: name, journal: journal, .standardError) { page in
      stayed.withLock { $0.page = page }
      let ended: Ended
      do {
        ended = try await run()
      } catch let status as ExitCode where status == .sectorsFailed {
        // There is something to look at, more than usual.
        await keep(page)
        throw status
      } catch {
        feed.abandoned(for: "\(error)")
        throw error
      }
      await keep(page)
      return ended
    }
  }

  /// Waits until nobody is to see the page any more.
  private func keep(_ page: ServedPage?) async {
    switch stay {
    case .none: break
    case .untilSignal: await Signals.watch { _, _ in false }
    case .untilViewersLeave:
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await Signals.watch { _, _ in false } }
        group.addTask { await self.viewersLeave(page) }
        await group.next()
        group.cancelAll()
      }
    }
  }

  /// Returns when there has been no viewer for a while, in which a page that is loaded anew is back.
  private func viewersLeave(_ page: ServedPage?) async {
    let clock = ContinuousClock()
    var lastSeen = clock.now
    while !Task.isCancelled, clock.now - lastSeen < Self.absence {
      if let page, page.viewerCount() > 0 { lastSeen = clock.now }
      try? await clock.sleep(for: .milliseconds(200))
    }
  }
}

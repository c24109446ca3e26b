package import ArgumentParser
package import SkyNetCluster
package import SkyNetCore
import SkyNetKit
package import SkyNetViews
package import SkyNetWeb

/// The page of an engagement, if there is to be one.
package struct RunPage: RunObserver, RunSurrounding {
  package let feed: RunFeed
  /// Whether the page outlives the run.
  package let isKept: Bool
  private let options: PageOptions
  private let name: String
  private let journal: String?

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
    name = options.systems.name ?? Machine.name
    journal = options.journal
    feed = RunFeed(
      words: words, weights: job.passes.map(\.weight), grid: grid, picture: picture,
      localSlots: options.localSlots)
  }

  package func hear(_ update: EngagementUpdate) { feed.apply(update) }

  package func stops(at signal: ExitCode) { feed.stops() }

  /// Serves the page while a run goes on, and then, if it is to be kept, until a signal.
  ///
  /// - Throws: `ExitCode` if it cannot listen; what `run` throws.
  package func during<Ended: Sendable>(_ run: () async throws -> Ended) async throws -> Ended {
    try await options.serve(feed, name: name, journal: journal, .standardError) { _ in
      let ended: Ended
      do {
        ended = try await run()
      } catch let status as ExitCode where status == .sectorsFailed {
        // There is something to look at, more than usual.
        await keep()
        throw status
      } catch {
        feed.abandoned(for: "\(error)")
        throw error
      }
      await keep()
      return ended
    }
  }

  /// Waits for a signal if the page is to be kept.
  private func keep() async {
    if isKept { await Signals.watch { _, _ in false } }
  }
}

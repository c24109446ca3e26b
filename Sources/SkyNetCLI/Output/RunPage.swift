import ArgumentParser
import SkyDetection
import SkyFITS
import SkyNetCore
import SkyNetViews
import SkyNetWeb
import SkyPicture
import SkyScan

/// The page of an engagement, if there is to be one.
struct RunPage {
  let feed: RunFeed
  /// Whether the page outlives the run.
  let isKept: Bool
  private let options: PageOptions
  /// Adds the whole image to the page's picture.
  private var readPicture: (@Sendable () async throws -> Void)?

  /// `nil` without `--web`.
  ///
  /// - Parameters:
  ///   - weights: how long each pass of the job takes, in relation to the others.
  ///   - localSlots: how many scans this process runs at a time.
  init?(
    _ options: EngagePageOptions, words: RunWords = RunWords(), weights: [Double], localSlots: Int,
    grid: PictureGrid? = nil, picture: PagePicture? = nil
  ) {
    guard options.page.web != nil else { return nil }
    self.options = options.page
    isKept = options.webKeep
    feed = RunFeed(
      words: words, weights: weights, grid: grid, picture: picture, localSlots: localSlots)
  }

  /// The page of an image's scan, which shows its pixels and sources as they are read and found.
  init?(_ options: EngagePageOptions, localSlots: Int, watching job: inout ImageJob) {
    guard options.page.web != nil else { return nil }
    let (image, grid) = (job.image, job.settings.grid)
    let preview = ImagePreview(width: image.width, height: image.height)
    self.init(
      options, words: Images.words, weights: job.passes.map(\.weight), localSlots: localSlots,
      grid: PictureGrid(grid),
      picture: PagePicture(
        width: image.width, height: image.height, scale: preview.scale,
        version: { preview.version }, png: { try preview.png().map { Array($0) } }))
    readPicture = { try await preview.add(image) }
    let feed = self.feed
    job.watcher = ImageWatcher(
      sawPixels: { rectangle, coding, bytes in
        preview.add(rectangle, coding.values(of: bytes))
      },
      foundSources: { sources in
        feed.found(sources.lazy.map { (x: $0.x, y: $0.y, strength: $0.flux) })
      })
  }

  /// Adds the sectors that this process does not read, since an earlier process of the run has scanned them. Pixels
  /// that cannot be read stay black: if a scan needs them too, the run says why.
  func completePicture() async { try? await readPicture?() }

  /// Serves the page while a run goes on, and then, if it is to be kept, until a signal.
  ///
  /// - Throws: `ExitCode` if it cannot listen; what `run` throws.
  func serve(
    name: String, journal: String?, _ console: Console, _ run: () async throws -> Void
  ) async throws {
    try await options.serve(feed, name: name, journal: journal, console) { _ in
      do {
        try await run()
      } catch let status as ExitCode where status == .sectorsFailed {
        // There is something to look at, more than usual.
        await keep()
        throw status
      }
      await keep()
    }
  }

  /// Waits for a signal if the page is to be kept.
  private func keep() async {
    if isKept { await Signals.watch { _, _ in false } }
  }
}

extension PictureGrid {
  init(_ grid: SectorGrid) {
    self.init(columns: grid.columns, rows: grid.rows, side: grid.side)
  }
}

import SkyDetection
import SkyFITS
import SkyNetCommand
import SkyNetViews
import SkyNetWeb
import SkyPicture
import SkyScan

/// The page of an image's scan, which shows its pixels and sources as they are read and found.
struct ImagePage {
  let page: RunPage
  private let image: FITSImage
  private let preview: ImagePreview

  /// `nil` if the options ask for no page.
  ///
  /// - Parameter job: gets a watcher.
  init?(_ options: RunOptions, watching job: inout ImageJob) {
    guard options.hasPage else { return nil }
    image = job.image
    let preview = ImagePreview(width: image.width, height: image.height)
    let picture = PagePicture(
      width: image.width, height: image.height, scale: preview.scale,
      version: { preview.version }, png: { try preview.png().map { Array($0) } })
    guard
      let page = RunPage(
        options, of: job, words: Images.words, grid: PictureGrid(job.settings.grid),
        picture: picture)
    else { return nil }
    self.page = page
    self.preview = preview
    job.watcher = ImageWatcher(
      sawPixels: { rectangle, coding, bytes in
        preview.add(rectangle, coding.values(of: bytes))
      },
      foundSources: { [feed = page.feed] sources in
        feed.found(sources.lazy.map { (x: $0.x, y: $0.y, strength: $0.flux) })
      })
  }

  /// Adds the sectors that this process does not read, since an earlier process of the run has scanned them. Pixels
  /// that cannot be read stay black: if a scan needs them too, the run says why.
  func completePicture() async { try? await preview.add(image) }
}

extension PictureGrid {
  init(_ grid: SectorGrid) {
    self.init(columns: grid.columns, rows: grid.rows, side: grid.side)
  }
}

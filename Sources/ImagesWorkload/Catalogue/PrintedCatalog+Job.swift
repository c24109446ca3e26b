import SkyCatalog
import SkyDetection
import SkyFITS
import SkyNetKit
import SkyScan

extension PrintedCatalog {
  /// The catalogue of an image's job, with what the headers of FITS tables tell of the scan.
  init(_ table: CatalogTable, of job: ImageJob) {
    self.init(
      table.printed, imageHeader: job.image.fullHeader,
      extraction: ExtractionHeader(job, sources: table.sources.count))
  }
}

extension ExtractionHeader {
  fileprivate init(_ job: ImageJob, sources: Int) {
    self.init()
    let (image, settings, catalog) = (job.image, job.settings.detection, job.catalogSettings)
    file = image.path.split(separator: "/").last.map(String.init) ?? image.path
    (self.image, imageCount) = job.placeInFile
    (width, height) = (image.width, image.height)
    software = "skynet \(SkyNetVersion.software)"
    if let sky = job.background {
      (background, noise) = (sky.medianLevel, sky.noise)
      threshold = settings.detectionThreshold(noise: sky.noise)
      analysisThreshold = settings.analysisThreshold(noise: sky.noise, typical: sky.noise)
    }
    (thresholdSetting, isThresholdAbsolute) = (settings.threshold, settings.isThresholdAbsolute)
    (detections, self.sources) = (sources, sources)
    (pixelScale, seeing) = (catalog.pixelScale, catalog.seeing)
    network = catalog.networkPath ?? ""
    gain = settings.gain
    (minimumArea, deblendLevels) = (settings.minimumArea, settings.deblendLevels)
    (deblendContrast, cleaning) = (settings.deblendContrast, settings.cleaning)
    apertures = settings.apertures
    if let kron = settings.kron { self.kron = (kron.factor, kron.minimum) }
    if let petrosian = settings.petrosian {
      self.petrosian = (petrosian.factor, petrosian.minimum)
    }
    saturation = settings.saturation ?? 0
    zeroPoint = catalog.zeroPoint
    mesh = (settings.mesh.width, settings.mesh.height)
    meshFilter = (settings.meshFilter.width, settings.meshFilter.height)
    isBackgroundLocal = settings.localThickness != nil
    localThickness = settings.localThickness ?? 0
  }
}

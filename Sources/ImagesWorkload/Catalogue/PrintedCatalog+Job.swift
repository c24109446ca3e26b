import SkyCatalog
import SkyDetection
import SkyFITS
import SkyFiles
import SkyNetKit
import SkyScan

extension PrintedCatalog {
  /// The catalogue of an image's job, with what the headers of FITS tables tell of the scan.
  init(_ table: CatalogTable, of job: ImageJob) {
    var extraction = job.extraction
    extraction.take(table, of: job)
    self.init(table.printed, imageHeader: job.image.fullHeader, extraction: extraction)
  }
}

extension ExtractionHeader {
  /// Takes what the image, the scan and the catalogue tell.
  fileprivate mutating func take(_ table: CatalogTable, of job: ImageJob) {
    let (image, settings, catalog) = (job.image, job.settings.detection, job.catalogSettings)
    file = image.path.pathNames().last ?? image.path
    (self.image, imageCount) = job.placeInFile
    (width, height) = (image.width, image.height)
    times?.end()
    software = "skynet \(SkyNetVersion.software)"
    if let sky = job.background {
      (background, noise) = (sky.medianLevel, sky.noise)
      threshold = settings.detectionThreshold(noise: sky.noise)
      analysisThreshold = settings.analysisThreshold(noise: sky.noise, typical: sky.noise)
      if job.weights != nil || settings.weighting.kind == .background {
        weightScale = sky.unitNoise
      }
    }
    (thresholdSetting, isThresholdAbsolute) = (settings.threshold, settings.isThresholdAbsolute)
    (detections, sources) = (job.catalog.sources.count, table.sources.count)
    (pixelScale, seeing) = (table.pixelScale, catalog.seeing)
    gain = settings.gain
    (minimumArea, deblendLevels) = (settings.minimumArea, settings.deblendLevels)
    deblendContrast = settings.deblendContrast
    if !settings.apertures.isEmpty { apertures = settings.apertures }
    if let kron = settings.kron { self.kron = (kron.factor, kron.minimum) }
    if let petrosian = settings.petrosian {
      self.petrosian = (petrosian.factor, petrosian.minimum)
    }
    saturation = settings.saturation ?? 0
    zeroPoint = catalog.zeroPoint
    mesh = (settings.mesh.width, settings.mesh.height)
    meshFilter = (settings.meshFilter.width, settings.meshFilter.height)
    isBackgroundLocal = settings.localThickness != nil
  }
}

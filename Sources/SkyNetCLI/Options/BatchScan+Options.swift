import ArgumentParser
import SkyDetection
import SkyFITS
import SkyScan

extension BatchScan {
  /// Opens the files that the command line names.
  ///
  /// - Parameter written: the files that will be written, and the flags that name them.
  /// - Returns: the scan, and the background if its file was given, which holds the settings then.
  /// - Throws: `FITSError`, `InvalidScan`, `DocumentError`, `SExtractorFileError`; `ValidationError` if
  ///   a file is to be written that a configuration has read.
  static func opened(
    _ image: String, _ options: ImageOptions, _ backgroundFile: String?,
    writing written: [Check.File]
  ) async throws -> (scan: BatchScan, background: BackgroundDocument?) {
    guard let backgroundFile else {
      let plan = try await ImagePlan(image, options)
      try Check.areApart(written, from: plan.configured)
      let scan = try BatchScan(
        image: plan.image, weights: plan.weights, settings: plan.settings)
      return (scan, nil)
    }
    let opened = try await ImageReader.open(ImageName(image).choosing(options.extension))
    let background = try readDocument(
      backgroundFile, as: BackgroundDocument.self, most: BackgroundDocument.mostBytes(of: opened))
    var weights: FITSImage?
    if let weight = options.weight {
      weights = try await ImageReader.openWeights(weight, extension: options.extension)
    } else if background.settings.weightCoding != nil {
      throw InvalidScan("\(backgroundFile) was made with weights; give --weight MAP too")
    }
    let scan = try BatchScan(image: opened, weights: weights, settings: background.settings)
    return (scan, background)
  }
}

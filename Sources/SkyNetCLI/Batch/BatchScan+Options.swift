import ArgumentParser
import SkyDetection
import SkyFITS
import SkyScan

extension BatchScan {
  /// Opens the files that the command line names.
  ///
  /// - Parameter written: the files that the command will write, with the options that name them.
  /// - Returns: the scan, and the background if its file was given; the scan's settings come from
  ///   that file then.
  /// - Throws: `FITSError`, `InvalidScan`, `DocumentError`, `SExtractorFileError`;
  ///   `ValidationError` if the command would write a file that a configuration names.
  static func opened(
    _ image: String, _ options: ImageOptions, _ backgroundFile: String?,
    writing written: [Check.File]
  ) async throws -> (scan: BatchScan, background: BackgroundDocument?) {
    guard let backgroundFile else {
      let plan = try await ImagePlan(image, options)
      try Check.areDistinct(written, from: plan.configured)
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

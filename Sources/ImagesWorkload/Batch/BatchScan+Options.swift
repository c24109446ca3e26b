import ArgumentParser
import Foundation
import SkyCatalog
import SkyDetection
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyScan

extension BatchScan {
  /// Opens the files that the command line names.
  ///
  /// - Parameters:
  ///   - written: the files that the command will write, with the options that name them.
  ///   - reports: whether to look at all of the image for what is wrong with it, and to say so, also
  ///     if the options do not ask for it: a process for a few sectors must not read all of it.
  /// - Returns: the scan, and the background if its file was given; the scan's settings come from
  ///   that file then. And the files that the outputs depend on.
  /// - Throws: `FITSError`, `InvalidScan`, `DocumentError`, `SExtractorFileError`,
  ///   ``StrictError``;
  ///   `ValidationError` if the command would write a file that a configuration names.
  static func opened(
    _ image: String, _ options: ImageOptions, _ backgroundFile: String?,
    writing written: [FileOption], reports: Bool = false
  ) async throws -> (scan: BatchScan, background: BackgroundDocument?, inputs: [OpenedFile]) {
    guard let backgroundFile else {
      let plan = try await ImagePlan(image, options)
      try Check.areDistinct(written, from: plan.configured)
      if reports || options.strict { try await plan.report(options) }
      let scan = try BatchScan(
        image: plan.image, weights: plan.weights, settings: plan.settings,
        headerFile: plan.headerFile)
      return (scan, nil, plan.inputs)
    }
    let name = try ImageName(image).choosing(options.extension)
    var opened = try await ImageReader.open(name)
    let (background, file) = try readBackground(backgroundFile, of: opened)
    if reports, let header = background.headerFile {
      // Only the catalogue's positions depend on it.
      opened = try await ImageReader.open(name, headerSuffix: header.suffix)
      guard opened.headerFile?.hash == header.hash else {
        throw InvalidScan(
          "\(backgroundFile) was made with a header file beside \(name.path), which "
            + "\(opened.headerFile == nil ? "is gone" : "has changed"); make the background anew")
      }
    }
    var weights: FITSImage?
    if let weight = options.weight {
      weights = try await ImageReader.openWeights(weight, extension: options.extension)
    } else if background.settings.weightCoding != nil {
      throw InvalidScan("\(backgroundFile) was made with weights; give --weight MAP too")
    }
    let scan = try BatchScan(
      image: opened, weights: weights, settings: background.settings,
      headerFile: background.headerFile)
    if reports || options.strict {
      try StrictError.report(
        try await opened.sumWarnings + (weights?.sumWarnings ?? []), isStrict: options.strict)
    }
    let inputs = [opened.opened, opened.headerFile?.opened, weights?.opened, file]
    return (scan, background, inputs.compactMap(\.self))
  }

  /// Reads the document with the background of an image.
  ///
  /// - Returns: the document, and its file as it was when it was opened; `nil` of a pipe or a device.
  /// - Throws: ``DocumentError``.
  private static func readBackground(
    _ path: String, of image: FITSImage
  ) throws -> (BackgroundDocument, OpenedFile?) {
    let most = BackgroundDocument.mostBytes(of: image)
    let (data, file): (Data, OpenedFile?)
    do {
      (data, file) = try SmallFile.read(path, most: most)
    } catch {
      throw DocumentError(path, error, "has more than \(most) bytes, the most for this image")
    }
    guard let document = try? JSONDecoder().decode(BackgroundDocument.self, from: data) else {
      throw DocumentError(path: path, fault: data.isEmpty ? "is empty" : DocumentError.foreign)
    }
    return (document, file)
  }
}

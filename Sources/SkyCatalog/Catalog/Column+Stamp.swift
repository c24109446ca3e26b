import SkyDetection

extension Column {
  static let stamp = Column(
    "VIGNET", "pixels around the source, without other sources'", unit: "count", needs: .stamp,
    printed: .flux, absent: noPixel, .float32 { $0.stampPixel })

  /// What SExtractor has for a pixel of another source, and for one outside of the image.
  private static let noPixel = -1e30
}

extension CatalogRow {
  fileprivate var stampPixel: Double? {
    context.stampPixels(ofRow: number - 1).flatMap { pixels in
      let value = pixels[pixels.startIndex + index]
      return value.isFinite ? Double(value) : nil
    }
  }
}

extension CatalogContext {
  /// The pixels of a source's stamp, row by row; `nil` if they were not read.
  func stampPixels(ofRow row: Int) -> ArraySlice<Float>? {
    guard let count = detection.stamp?.pixelCount, (row + 1) * count <= stampPixels.count else {
      return nil
    }
    return stampPixels[row * count..<(row + 1) * count]
  }
}

extension SExtractorParameters.Column {
  /// The size that the list asks for in a column of stamps. A missing height is 1, and so is a missing width.
  var stamp: DetectionSettings.Stamp {
    DetectionSettings.Stamp(width: sizes.first ?? 1, height: sizes.dropFirst().first ?? 1)
  }
}

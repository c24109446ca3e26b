import CCFITSIO

extension FITSHandle {
  /// Makes the file's first 2-D image that has pixels the current one.
  ///
  /// Images in extensions count, tile-compressed ones too, and so do images whose axes after the
  /// second have length 1.
  ///
  /// - Throws: ``FITSError`` if there is none, it is too large, or pixels are missing at the end.
  func selectImage() throws -> FITSLayout {
    var unit: CInt = 1
    var cube: [Int]?
    while let axes = try imageAxes(unit: unit) {
      unit += 1
      guard axes.count >= 2, !axes.contains(0) else { continue }
      guard axes.dropFirst(2).allSatisfy({ $0 == 1 }) else {
        cube = cube ?? axes
        continue
      }
      try checkSize(axes)
      try checkAllPixelsThere(axes)
      return try layout(axes: axes)
    }
    if let cube {
      let sizes = cube.map(String.init).joined(separator: " × ")
      throw FITSError(
        .tooManyAxes, path: path,
        fault: "its image has \(cube.count) axes (\(sizes) pixels), a scan takes two",
        nextStep: "write one plane of it to a file of its own")
    }
    let units = unit == 2 ? "its one unit has" : "none of its \(unit - 1) units has"
    throw FITSError(
      .noImage, path: path, fault: "has no 2-D image with pixels: \(units) one",
      nextStep: "give a file that holds an image")
  }

  /// The lengths of a unit's axes, none for what is not an image; `nil` after the last unit.
  private func imageAxes(unit: CInt) throws -> [Int]? {
    var status: CInt = 0
    let type = CFITSIO.move(file, toUnit: unit, &status)
    if status == END_OF_FILE, unit > 1 { return nil }
    if status == 0, type != IMAGE_HDU { return [] }
    let axes = CFITSIO.axes(file, &status)
    guard status == 0 else {
      throw FITSError(
        .invalidHeader, path: path,
        fault: "the header of its unit \(unit) cannot be read (\(CFITSIO.words(for: status)))",
        nextStep: "fetch it again, or check it with a FITS verifier")
    }
    return axes
  }

  private func checkSize(_ axes: [Int]) throws {
    let limit = FITSImage.maximumSide
    guard axes[0] <= limit, axes[1] <= limit else {
      throw FITSError(
        .tooLarge, path: path,
        fault: "its image has \(axes[0]) × \(axes[1]) pixels, at most \(limit) a side are allowed",
        nextStep: "cut it into smaller images")
    }
  }

  /// CFITSIO itself would say so only when the missing pixels are read, hours into a scan.
  private func checkAllPixelsThere(_ axes: [Int]) throws {
    var status: CInt = 0
    var needed = CFITSIO.dataStart(file, &status)
    let bitpix = CFITSIO.bitpix(file, &status)
    guard status == 0 else { throw error(status, doing: "finding its pixels") }
    let state = file.pointee.Fptr.pointee
    if state.compressimg != 0 {
      needed += Int(state.heapstart + state.heapsize)
    } else {
      needed += axes[0] * axes[1] * Int(abs(bitpix)) / 8
    }
    // The last block counts whole: CFITSIO cannot read a part of one.
    needed = (needed + 2879) / 2880 * 2880
    // The size is that of the content, for gzipped files too.
    guard state.filesize >= needed else {
      throw FITSError(
        .truncated, path: path,
        fault: "is truncated: it has \(state.filesize) bytes, its image ends with byte \(needed)",
        nextStep: "fetch it again; if only zeros are missing, fill it to a multiple of 2880 bytes")
    }
  }
}

import CCFITSIO

/// An image in one of a file's header and data units.
struct FITSUnitImage {
  /// 0 for the primary unit, as CFITSIO and DS9 count.
  var number: Int
  /// EXTNAME and EXTVER, if it has them.
  var name: String?
  var version: Int?
  /// At least two.
  var axes: [Int]

  /// Whether it can be scanned: all axes after the second have length 1.
  var isPlane: Bool { axes.dropFirst(2).allSatisfy { $0 == 1 } }

  var size: String { axes.map(String.init).joined(separator: " × ") }

  /// As a person would choose it.
  var description: String {
    let name = name.map { " \($0)" + (version.map { ",\($0)" } ?? "") } ?? ""
    return "[\(number)]\(name) \(isPlane ? "\(axes[0]) × \(axes[1])" : size)"
  }
}

extension FITSHandle {
  /// Makes an image the current one: the one that is chosen, or else the file's only 2-D image that has
  /// pixels.
  ///
  /// Images in extensions count, tile-compressed ones too, and so do images whose axes after the
  /// second have length 1.
  ///
  /// - Parameter choice: the unit's number, or its EXTNAME, perhaps with a comma and its EXTVER.
  /// - Throws: ``FITSError`` if there is none, or several and none is chosen, it is too large, or pixels
  ///   are missing at the end.
  func selectImage(_ choice: String?) throws -> FITSLayout {
    let (images, unitCount) = try images()
    let planes = images.filter(\.isPlane)
    let image = try choice.map { try chosen($0, images) } ?? only(planes, images, unitCount)
    var status: CInt = 0
    _ = CFITSIO.move(file, toUnit: CInt(image.number + 1), &status)
    guard status == 0 else { throw error(status, doing: "going back to its image") }
    try checkSize(image.axes)
    try checkAllPixelsThere(image.axes)
    return try layout(of: image, isOneOfSeveral: planes.count > 1)
  }

  private func only(
    _ planes: [FITSUnitImage], _ images: [FITSUnitImage], _ unitCount: Int
  ) throws -> FITSUnitImage {
    if let plane = planes.first {
      guard planes.count > 1 else { return plane }
      throw FITSError(
        .severalImages, path: path,
        fault: "has \(planes.count) images, of which one at a time is scanned: \(listed(planes))",
        nextStep: "choose one by its number or name, as in FILE[\(plane.number)] or --extension "
          + "\(plane.name ?? "\(plane.number)")")
    }
    if let cube = images.first {
      throw FITSError(
        .tooManyAxes, path: path,
        fault: "its image has \(cube.axes.count) axes (\(cube.size) pixels), a scan takes two",
        nextStep: "write one plane of it to a file of its own")
    }
    let units = unitCount == 1 ? "its one unit has" : "none of its \(unitCount) units has"
    throw FITSError(
      .noImage, path: path, fault: "has no 2-D image with pixels: \(units) one",
      nextStep: "give a file that holds an image")
  }

  private func chosen(_ choice: String, _ images: [FITSUnitImage]) throws -> FITSUnitImage {
    let found: [FITSUnitImage]
    if let number = Int(choice) {
      found = images.filter { $0.number == number }
    } else {
      let parts = choice.split(separator: ",", maxSplits: 1).map(String.init)
      let version = parts.count == 2 ? Int(parts[1].filter { $0 != " " }) : nil
      let name = (version == nil ? choice : parts[0]).uppercased()
      found = images.filter {
        $0.name?.uppercased() == name && (version == nil || $0.version ?? 1 == version)
      }
    }
    guard let image = found.first, found.count == 1, image.isPlane else {
      let fault =
        switch (found.count, images.isEmpty) {
        case (1, _): "its extension \(listed(found)) has more than two axes, a scan takes two"
        case (0, true): "has no image with pixels in any extension"
        case (0, false): "has no image in an extension \(choice), only: \(listed(images))"
        default: "has several images of that name: \(listed(found))"
        }
      throw FITSError(
        .noSuchExtension, path: path, fault: fault,
        nextStep: images.isEmpty
          ? "give a file that holds an image" : "choose one by its number; [0] is the primary unit")
    }
    return image
  }

  /// Some of them, in words.
  private func listed(_ images: [FITSUnitImage]) -> String {
    let most = 40
    let more = images.count > most ? ", and \(images.count - most) more" : ""
    return images.prefix(most).map(\.description).joined(separator: ", ") + more
  }

  /// The file's images that have pixels and two axes or more, and how many units it has.
  private func images() throws -> ([FITSUnitImage], unitCount: Int) {
    var images: [FITSUnitImage] = []
    var unit: CInt = 0
    while true {
      var status: CInt = 0
      let type = CFITSIO.move(file, toUnit: unit + 1, &status)
      if status == END_OF_FILE, unit > 0 { break }
      let axes = status == 0 && type == IMAGE_HDU ? CFITSIO.axes(file, &status) : []
      guard status == 0 else {
        // What lies damaged behind an image that is whole does no harm.
        if !images.isEmpty { break }
        throw FITSError(
          .invalidHeader, path: path,
          fault: "the header of its extension [\(unit)] cannot be read "
            + "(\(CFITSIO.words(for: status)))",
          nextStep: "fetch it again, or check it with fitsverify")
      }
      if axes.count >= 2, axes.allSatisfy({ $0 > 0 }) {
        images.append(
          FITSUnitImage(
            number: Int(unit), name: CFITSIO.text(file, "EXTNAME"),
            version: CFITSIO.whole(file, "EXTVER"), axes: axes))
      }
      unit += 1
    }
    return (images, Int(unit))
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
    let dataStart = CFITSIO.dataStart(file, &status)
    let bitpix = CFITSIO.bitpix(file, &status)
    guard status == 0 else { throw error(status, doing: "finding its pixels") }
    let state = file.pointee.Fptr.pointee
    let dataSize =
      state.compressimg == 0
      ? DataUnit.size(axes: axes, bitpix: Int(bitpix))
      : DataUnit.size(heapStart: Int(state.heapstart), heapSize: Int(state.heapsize))
    guard let dataSize, let needed = DataUnit.end(start: dataStart, size: dataSize) else {
      throw FITSError(
        .invalidHeader, path: path, fault: "its header says that it has more bytes than any file",
        nextStep: "fetch it again, or check it with fitsverify")
    }
    // CFITSIO's own number grows where it has looked for further units.
    guard contents.count >= needed else {
      throw FITSError(
        .truncated, path: path,
        fault: "is truncated: it has \(contents.count) bytes, its image ends with byte \(needed)",
        nextStep: "fetch it again; if only zeros are missing, fill it to a multiple of 2880 bytes")
    }
  }
}

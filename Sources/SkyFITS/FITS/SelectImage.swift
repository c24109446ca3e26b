import CCFITSIO

/// An image in one of a file's header and data units.
struct FITSUnitImage {
  /// The unit's number; 0 is the primary unit, as in CFITSIO and DS9.
  var number: Int
  /// EXTNAME and EXTVER; `nil` if the header lacks them.
  var name: String?
  var version: Int?
  /// The lengths of the axes; at least two.
  var axes: [Int]

  /// The number of planes: the product of the lengths of the axes after the second.
  var planeCount: Int {
    axes.dropFirst(2).reduce(1) { count, length in
      let (product, isBeyond) = count.multipliedReportingOverflow(by: length)
      return isBeyond ? FITSLayout.mostPlanes : min(product, FITSLayout.mostPlanes)
    }
  }

  var size: String { axes.map(String.init).joined(separator: " × ") }

  /// The image's number, name and size, in words for a person.
  var description: String {
    let name = name.map { " \($0)" + (version.map { ",\($0)" } ?? "") } ?? ""
    return "[\(number)]\(name) \(planeCount == 1 ? "\(axes[0]) × \(axes[1])" : size)"
  }
}

extension FITSHandle {
  /// Makes an image the current one: the chosen one, or else the file's only one with pixels and at least two axes. Of
  /// a cube the first plane is read.
  ///
  /// Images in extensions count, tile-compressed ones too.
  ///
  /// - Parameters:
  ///   - choice: the unit's number, or its EXTNAME, optionally followed by a comma and its EXTVER.
  ///   - headerFile: the text of a file whose cards replace those of the header; see
  ///     ``HeaderFile``.
  /// - Throws: ``FITSError`` if there is no such image, or several and none was chosen; if the
  ///   image is too large; or if pixels are missing at the end.
  func selectImage(_ choice: String?, headerFile: String? = nil) throws -> FITSLayout {
    let (images, unitCount, leftOut) = try images()
    let image = try choice.map { try chosenImage($0, images) } ?? onlyImage(images, unitCount)
    var status: CInt = 0
    _ = CFITSIO.move(file, toUnit: CInt(image.number + 1), &status)
    guard status == 0 else { throw error(status, doing: "going back to its image") }
    try checkSize(image.axes)
    let end = try endOfPixels(image.axes)
    var layout = try layout(of: image, isOneOfSeveral: images.count > 1)
    layout.isUnfilled = DataUnit.filled(end).map { $0 > contents.count } ?? false
    if image.number == images.last?.number {
      // Where an image is chosen, a list of them has the damaged extension, or nobody asked for it.
      layout.leftOut = choice == nil ? leftOut : leftOut.subtracting(.damage)
    }
    if let headerFile {
      let block = images.firstIndex { $0.number == image.number } ?? 0
      layout.replacingCards = cards(ofHeaderFile: headerFile, block: block).joined()
      guard layout.replacingCards.utf8.count <= ReaderLimits.header else {
        throw FITSLayout.headerTooLarge(path)
      }
    }
    return layout
  }

  /// All images that can be chosen.
  ///
  /// - Throws: ``FITSError`` if there is none.
  func listImages() throws -> [FITSImageUnit] {
    let (images, unitCount, leftOut) = try images()
    guard !images.isEmpty else { throw noImage(unitCount) }
    let listed = images.filter { $0.axes.allSatisfy { $0 <= Int32.max } }.map {
      FITSImageUnit(number: $0.number, name: $0.name, width: $0.axes[0], height: $0.axes[1])
    }
    guard listed.count == images.count, listed.count <= FITSImageUnit.mostListed else {
      throw FITSError(
        .tooLarge, path: path,
        fault: "has more images, or larger ones, than can be listed: \(images.count)",
        nextStep: "check it with fitsverify")
    }
    guard leftOut.contains(.damage) else { return listed }
    return listed + [
      FITSImageUnit(number: unitCount, name: nil, width: 1, height: 1, isDamaged: true)
    ]
  }

  private func onlyImage(_ images: [FITSUnitImage], _ unitCount: Int) throws -> FITSUnitImage {
    guard let image = images.first else { throw noImage(unitCount) }
    guard images.count > 1 else { return image }
    throw FITSError(
      .severalImages, path: path,
      fault: "has \(images.count) images, of which one at a time is scanned: \(listed(images))",
      nextStep: "choose one by its number or name, as in FILE[\(image.number)] or --extension "
        + "\(image.name ?? "\(image.number)")")
  }

  private func noImage(_ unitCount: Int) -> FITSError {
    let units = unitCount == 1 ? "its one unit has" : "none of its \(unitCount) units has"
    return FITSError(
      .noImage, path: path, fault: "has no 2-D image with pixels: \(units) one",
      nextStep: "give a file that holds an image")
  }

  private func chosenImage(_ choice: String, _ images: [FITSUnitImage]) throws -> FITSUnitImage {
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
    guard let image = found.first, found.count == 1 else {
      let fault =
        switch (found.count, images.isEmpty) {
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

  /// The first images in words, and the number of further ones.
  private func listed(_ images: [FITSUnitImage]) -> String {
    let most = 40
    let more = images.count > most ? ", and \(images.count - most) more" : ""
    return images.prefix(most).map(\.description).joined(separator: ", ") + more
  }

  /// The file's images that have pixels and at least two axes, the number of its units, and what else it has. Like
  /// SExtractor, it passes over binary tables and over images of fewer axes.
  private func images() throws -> ([FITSUnitImage], unitCount: Int, leftOut: FITSLeftOut) {
    var (images, leftOut): ([FITSUnitImage], FITSLeftOut) = ([], [])
    var unit: CInt = 0
    var end = 0
    while true {
      var status: CInt = 0
      let type = CFITSIO.move(file, toUnit: unit + 1, &status)
      if status == END_OF_FILE, unit > 0 { break }
      let axes = status == 0 && type == IMAGE_HDU ? CFITSIO.axes(file, &status) : []
      guard status == 0 else {
        // A damaged unit does no harm behind an intact image.
        if !images.isEmpty { break }
        throw FITSError(
          .invalidHeader, path: path,
          fault: "the header of its extension [\(unit)] cannot be read "
            + "(\(CFITSIO.message(for: status)))",
          nextStep: "fetch it again, or check it with fitsverify")
      }
      if axes.count >= 2, axes.allSatisfy({ $0 > 0 }) {
        images.append(
          FITSUnitImage(
            number: Int(unit), name: CFITSIO.unitName(file),
            version: CFITSIO.whole(file, "EXTVER"), axes: axes))
      }
      if type == ASCII_TBL { leftOut.insert(.textTable) }
      unit += 1
      end = CFITSIO.dataEnd(file, &status)
    }
    return (images, Int(unit), leftOut.union(self.leftOut(behind: end)))
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

  /// The byte of the file behind the pixels of the current image.
  ///
  /// - Throws: ``FITSError`` if pixels are missing. CFITSIO would notice only when it reads them, hours into a
  ///   scan.
  private func endOfPixels(_ axes: [Int]) throws -> Int {
    var status: CInt = 0
    let dataStart = CFITSIO.dataStart(file, &status)
    let bitpix = CFITSIO.bitpix(file, &status)
    guard status == 0 else { throw error(status, doing: "finding its pixels") }
    let state = file.pointee.Fptr.pointee
    let dataSize =
      state.compressimg == 0
      ? DataUnit.size(axes: axes, bitpix: Int(bitpix))
      : DataUnit.size(heapStart: Int(state.heapstart), heapSize: Int(state.heapsize))
    guard let dataSize, let end = DataUnit.end(start: dataStart, size: dataSize) else {
      throw FITSError(
        .invalidHeader, path: path, fault: "its header says that it has more bytes than any file",
        nextStep: "fetch it again, or check it with fitsverify")
    }
    // The size is checked against the file's bytes: CFITSIO's own file size grows when it looks for
    // further units.
    guard contents.count >= end else {
      throw FITSError(
        .truncated, path: path,
        fault: "is truncated: it has \(contents.count) bytes, its image ends with byte \(end)",
        nextStep: "fetch it again")
    }
    return end
  }
}

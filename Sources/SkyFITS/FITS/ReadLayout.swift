import CCFITSIO

extension FITSHandle {
  /// The place and format of the current image, and the coding of its pixels. After this call,
  /// CFITSIO returns 8-bit and 16-bit integers as they are stored; the scanning system scales them.
  func layout(of image: FITSUnitImage, isOneOfSeveral: Bool) throws -> FITSLayout {
    var status: CInt = 0
    let bitpix = CFITSIO.bitpix(file, &status)
    guard status == 0 else { throw error(status, doing: "reading BITPIX") }
    // CFITSIO checks BITPIX of a plain image, and trusts that of a tile-compressed one.
    guard FITSLayout.pixelTypes.contains(Int(bitpix)) else {
      throw FITSError(
        .invalidHeader, path: path,
        fault: "its pixels are of type \(bitpix), which FITS does not define",
        nextStep: "fetch it again, or check it with fitsverify")
    }
    let scale = try number("BSCALE") ?? 1
    let zero = try number("BZERO") ?? 0
    guard scale.isFinite, scale != 0, zero.isFinite else {
      throw FITSError(
        .invalidHeader, path: path,
        fault: "BSCALE is \(scale) and BZERO \(zero), which makes no pixel values",
        nextStep: "correct its header")
    }
    let header = CFITSIO.header(file, atMost: ReaderLimits.header, &status)
    guard status == 0 else { throw error(status, doing: "reading its header") }
    guard let header else { throw FITSLayout.headerTooLarge(path) }
    var coding = PixelCoding(format: .float32)
    if bitpix == BYTE_IMG || bitpix == SHORT_IMG {
      coding = PixelCoding(
        format: bitpix == BYTE_IMG ? .uint8 : .int16, scale: scale, zero: zero,
        blank: try integer("BLANK"))
      CFITSIO.scale(file, by: 1, zero: 0, &status)
    } else if !doubledCards(in: header, where: isOfPixels).isEmpty {
      // CFITSIO takes the last of several cards with one keyword, and here the first one counts.
      CFITSIO.scale(file, by: scale, zero: zero, &status)
      if bitpix > 0, let blank = try integer("BLANK") { CFITSIO.setBlank(file, blank, &status) }
    }
    guard status == 0 else { throw error(status, doing: "setting the scale of its pixels") }
    var layout = FITSLayout(
      extensionNumber: image.number, isOneOfSeveral: isOneOfSeveral, contentSize: contents.count,
      axisCount: image.axes.count, planeCount: image.planeCount, width: image.axes[0],
      height: image.axes[1], bitpix: Int(bitpix), coding: coding, header: header)
    layout.hasSums = ["DATASUM", "CHECKSUM"].contains { CFITSIO.text(file, $0) != nil }
    if contents.isMapped, isPlain(bitpix, scale: scale, zero: zero) {
      layout.plainStart = CFITSIO.dataStart(file, &status)
      guard status == 0 else { throw error(status, doing: "finding its pixels") }
    }
    return layout
  }

  /// Whether the data unit stores the pixels as they are sent: not compressed, not converted, and
  /// without parameters before them (PCOUNT, FITS Standard 4.0, 4.4.1.2).
  private func isPlain(_ bitpix: CInt, scale: Double, zero: Double) -> Bool {
    guard file.pointee.Fptr.pointee.compressimg == 0,
      let parameters = try? integer("PCOUNT") ?? 0, parameters == 0
    else { return false }
    switch bitpix {
    case BYTE_IMG, SHORT_IMG: return true
    case FLOAT_IMG: return scale == 1 && zero == 0
    default: return false
    }
  }

  private func number(_ keyword: String) throws -> Double? {
    var status: CInt = 0
    let value = CFITSIO.number(file, keyword, &status)
    return try present(value, keyword, status)
  }

  private func integer(_ keyword: String) throws -> Int? {
    var status: CInt = 0
    let value = CFITSIO.integer(file, keyword, &status)
    return try present(value, keyword, status)
  }

  private func present<Value>(_ value: Value, _ keyword: String, _ status: CInt) throws -> Value? {
    switch status {
    case 0: return value
    case KEY_NO_EXIST, VALUE_UNDEFINED: return nil
    default:
      throw FITSError(
        .invalidHeader, path: path,
        fault: "its \(keyword) is not a number (\(CFITSIO.message(for: status)))",
        nextStep: "correct its header")
    }
  }
}

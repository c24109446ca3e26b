package import CCFITSIO
import Foundation

/// The functions of CFITSIO that SkyNet uses. Their long names are C macros, which Swift does not
/// import, so each function here is documented with its long name in C.
///
/// Every function takes a status. It does nothing if the status is not 0, and sets the status if it
/// fails.
package enum CFITSIO {
  package typealias File = UnsafeMutablePointer<fitsfile>

  /// `fits_open_memfile`: a file in memory, for reading. The pointers must stay valid until the
  /// file is closed.
  static func openInMemory(
    _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ size: UnsafeMutablePointer<Int>,
    _ status: inout CInt
  ) -> File? {
    var file: File?
    // CFITSIO would interpret a name, so this one is a constant without meaning.
    ffomem(&file, "image", READONLY, memory, size, 0, nil, &status)
    return file
  }

  /// `fits_close_file`, which closes the file after an error too.
  static func close(_ file: File?, _ status: inout CInt) {
    ffclos(file, &status)
  }

  /// `fits_get_errstatus`
  static func message(for status: CInt) -> String {
    var text = [CChar](repeating: 0, count: Int(FLEN_STATUS))
    ffgerr(status, &text)
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return "CFITSIO \(status): \(String(decoding: bytes, as: UTF8.self))"
  }

  /// `fits_movabs_hdu`. Units count from 1. Returns the unit's type.
  static func move(_ file: File, toUnit unit: CInt, _ status: inout CInt) -> CInt {
    var type: CInt = 0
    ffmahd(file, unit, &type, &status)
    return type
  }

  /// `fits_get_img_dim`, `fits_get_img_sizell`: the lengths of the image's axes.
  static func axes(_ file: File, _ status: inout CInt) -> [Int] {
    var count: CInt = 0
    ffgidm(file, &count, &status)
    guard status == 0 else { return [] }
    // The header of a tile-compressed image can contain any number, and CFITSIO 4.2 trusts it.
    // CFITSIO stores no more lengths than these.
    let most = file.pointee.Fptr.pointee.compressimg == 0 ? 99 : MAX_COMPRESS_DIM
    guard (0...most).contains(count) else {
      status = BAD_NAXIS
      return []
    }
    var axes = [LONGLONG](repeating: 0, count: Int(count))
    ffgiszll(file, count, &axes, &status)
    return axes.map { Int($0) }
  }

  /// `fits_get_img_type`: BITPIX; for a tile-compressed image, that of the uncompressed image.
  static func bitpix(_ file: File, _ status: inout CInt) -> CInt {
    var bitpix: CInt = 0
    ffgidt(file, &bitpix, &status)
    return bitpix
  }

  /// `fits_get_hduaddrll`: the byte in the file where the unit's data begin.
  static func dataStart(_ file: File, _ status: inout CInt) -> Int {
    var (headStart, dataStart, dataEnd) = (LONGLONG(0), LONGLONG(0), LONGLONG(0))
    ffghadll(file, &headStart, &dataStart, &dataEnd, &status)
    return Int(dataStart)
  }

  /// `fits_movabs_key`: the search for a keyword begins where the last one has ended, so that of two cards
  /// with one keyword either could be found. From here on the first one is.
  private static func searchFromStart(_ file: File, _ status: inout CInt) {
    ffmaky(file, 1, &status)
  }

  /// `fits_read_key_dbl`, of the first card with the keyword
  static func number(_ file: File, _ keyword: String, _ status: inout CInt) -> Double {
    var value = 0.0
    searchFromStart(file, &status)
    ffgkyd(file, keyword, &value, nil, &status)
    return value
  }

  /// `fits_read_key_lnglng`, of the first card with the keyword
  static func integer(_ file: File, _ keyword: String, _ status: inout CInt) -> Int {
    var value: LONGLONG = 0
    searchFromStart(file, &status)
    ffgkyjj(file, keyword, &value, nil, &status)
    return Int(value)
  }

  /// `fits_read_key_str`, of the first card with the keyword; `nil` if the header has no such keyword.
  static func text(_ file: File, _ keyword: String) -> String? {
    var status: CInt = 0
    searchFromStart(file, &status)
    return nextText(file, keyword)
  }

  /// EXTNAME; `nil` if the header has none. A tile-compressed image may have its own name behind that of the
  /// table that holds it; `fits_movnam_hdu` passes over COMPRESSED_IMAGE, too.
  static func unitName(_ file: File) -> String? {
    let first = text(file, "EXTNAME")
    guard first == "COMPRESSED_IMAGE", file.pointee.Fptr.pointee.compressimg != 0 else {
      return first
    }
    // Each search goes on behind the card that was found, and comes back to the first one behind the last.
    for _ in 0..<mostNames {
      if let name = nextText(file, "EXTNAME"), name != first { return name }
    }
    return first
  }

  /// More names than a unit has.
  private static let mostNames = 16

  private static func nextText(_ file: File, _ keyword: String) -> String? {
    var status: CInt = 0
    var text = [CChar](repeating: 0, count: Int(FLEN_VALUE))
    ffgkys(file, keyword, &text, nil, &status)
    guard status == 0 else { return nil }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).inOneLine
  }

  /// `fits_read_key_lnglng`; `nil` if the header has no such keyword.
  static func whole(_ file: File, _ keyword: String) -> Int? {
    var status: CInt = 0
    let value = integer(file, keyword, &status)
    return status == 0 ? value : nil
  }

  /// `fits_convert_hdr2str`: the unit's cards, and for a tile-compressed image the
  /// cards of the uncompressed image; `nil` if they have more bytes than the limit.
  static func header(_ file: File, atMost limit: Int, _ status: inout CInt) -> String? {
    let header = self.header(file, atMost: limit, &status) {
      ffcnvthdr2str(file, 0, nil, 0, $0, $1, $2)
    }
    let misplaced = [UNKNOWN_REC, NO_SIMPLE, NO_BITPIX, NO_NAXIS, NO_NAXES]
    guard misplaced.contains(status), file.pointee.Fptr.pointee.compressimg != 0 else {
      return header
    }
    // CFITSIO copies the cards in their order, and fails if one of the image's own stands among the first ones of the
    // table, though FITS allows it. `fits_hdr2str` copies them as they are.
    status = 0
    return self.header(file, atMost: limit, &status) { ffhdr2str(file, 0, nil, 0, $0, $1, $2) }
      .map(unpackedHeader)
  }

  private static func header(
    _ file: File, atMost limit: Int, _ status: inout CInt,
    _ copy: (
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, UnsafeMutablePointer<CInt>,
      UnsafeMutablePointer<CInt>
    ) -> CInt
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    var cards: CInt = 0
    _ = copy(&text, &cards, &status)
    defer {
      var ignored: CInt = 0
      // `fits_free_memory`
      fffree(text, &ignored)
    }
    guard status == 0, let text else { return "" }
    let length = strlen(text)
    guard length <= limit else { return nil }
    // Each byte becomes one character, so that cards keep 80 characters: some files have Latin-1 in
    // their comments.
    let bytes = UnsafeBufferPointer(start: text, count: length)
    return String(
      decoding: bytes.map { (0x20...0x7e).contains($0) ? UInt8($0) : UInt8(ascii: "?") },
      as: UTF8.self)
  }

  /// `fits_verify_chksum`: whether DATASUM and CHECKSUM are right: 1, or wrong: -1; 0 for one that
  /// the header lacks.
  static func checkSums(_ file: File, _ status: inout CInt) -> (data: CInt, unit: CInt) {
    var (data, unit) = (CInt(0), CInt(0))
    ffvcks(file, &data, &unit, &status)
    return (data, unit)
  }

  /// `fits_set_bscale`, instead of the header's BSCALE and BZERO. With 1 and 0, pixels are read without
  /// scaling.
  static func scale(_ file: File, by scale: Double, zero: Double, _ status: inout CInt) {
    ffpscl(file, scale, zero, &status)
  }

  /// `fits_set_imgnull`: the number that stands for a pixel without a value, instead of the header's BLANK.
  static func setBlank(_ file: File, _ blank: Int, _ status: inout CInt) {
    ffpnul(file, LONGLONG(blank), &status)
  }
}

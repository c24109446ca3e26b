import SkyNetCore

/// Damages a FITS file: mostly cards of its headers, which control the code that reads the file,
/// and also its data. The same number does the same damage.
struct Damage {
  private var bytes: [UInt8]
  private var random: SplitMix64

  static func damaged(_ bytes: [UInt8], number: UInt64) -> [UInt8] {
    var damage = Damage(bytes: bytes, random: SplitMix64(seed: number))
    for _ in 0..<Int.random(in: 1...4, using: &damage.random) { damage.damageOnce() }
    return damage.bytes
  }

  private static let cardLength = 80

  private static let numbers = [
    "0", "-1", "1", "2", "3", "7", "255", "256", "999", "1000", "32767", "32768", "65535", "65536",
    "2147483647", "-2147483648", "4294967296", "9223372036854775807", "-9223372036854775808",
    "1E308", "-1E-320", "1E400", "NAN", "0.5", "1048576", "99999999999999999999",
  ]

  private static let texts = [
    "'RICE_1'", "'HCOMPRESS_1'", "'GZIP_1'", "'GZIP_2'", "'PLIO_1'", "'NOCOMPRESS'", "'X'",
    "'BINTABLE'", "'IMAGE'", "'1PB(0)'", "'1QB'", "'1PI(9)'", "'1PE'", "'999999999B'", "'0B'",
    "'RA---TAN'", "'DEC--TPV'", "'RA---ZPN'", "'DEC--SZP-SIP'", "'HPX-'", "'GLON-CAR'",
    "'FREQ-LOG'",
    "'CUBEFACE'", "'STOKES'", "'NO_DITHER'", "'SUBTRACTIVE_DITHER_2'", "'", "''", "T", "F",
    "'deg'", "'(((((((((((((((('", "'m**-999999'", "'ICRS'", "'FK4'",
  ]

  private static let keywords = [
    "NAXIS", "NAXIS1", "NAXIS2", "NAXIS3", "BITPIX", "PCOUNT", "GCOUNT", "TFIELDS", "THEAP",
    "TFORM1",
    "TTYPE1", "TNULL1", "TDIM1", "ZIMAGE", "ZBITPIX", "ZNAXIS", "ZNAXIS1", "ZNAXIS2", "ZNAXIS3",
    "ZTILE1", "ZTILE2", "ZTILE3", "ZCMPTYPE", "ZNAME1", "ZVAL1", "ZNAME2", "ZVAL2", "ZQUANTIZ",
    "ZDITHER0", "ZBLANK", "ZSCALE", "ZZERO", "ZMASKCMP", "BLANK", "BSCALE", "BZERO", "EXTNAME",
    "XTENSION", "SIMPLE", "END", "CONTINUE", "WCSAXES", "CTYPE1", "CTYPE2", "CTYPE3", "CRPIX1",
    "CRVAL2", "CDELT1", "CUNIT1", "CD1_1", "CD2_2", "PC1_2", "PV1_1", "PV2_99", "PV2_20", "PS1_0",
    "A_ORDER", "B_ORDER", "A_9_9", "AP_ORDER", "DP1", "DQ1", "CPDIS1", "LONPOLE", "LATPOLE",
    "EQUINOX", "RADESYS", "WCSNAME", "DATASUM", "CHECKSUM", "TCTYP1", "11CD1", "WCSAXESA",
    "CTYPE1A", "CRVAL9999",
    "PV-1_5",
  ]

  private mutating func damageOnce() {
    let cards = cardOffsets
    guard let offset = cards.randomElement(using: &random) else { return overwriteNumbers() }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: put(value: Self.numbers.randomElement(using: &random) ?? "0", at: offset)
    case 4, 5: put(value: Self.texts.randomElement(using: &random) ?? "T", at: offset)
    case 6:
      let keyword = Self.keywords.randomElement(using: &random) ?? "END"
      put(keyword + String(repeating: " ", count: 8 - min(8, keyword.count)), at: offset)
      if Bool.random(using: &random) {
        put("= ", at: offset + 8)
        put(value: (Self.numbers + Self.texts).randomElement(using: &random) ?? "0", at: offset)
      }
    case 7:
      // Duplicates a card, in the place of another one.
      let other = cards.randomElement(using: &random) ?? offset
      bytes.replaceSubrange(
        offset..<offset + Self.cardLength, with: bytes[other..<other + Self.cardLength])
    case 8:
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = offset + Int.random(in: 0..<Self.cardLength, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
    case 9, 10: overwriteNumbers()
    default:
      if Int.random(in: 0..<4, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      } else {
        overwriteNumbers()
      }
    }
  }

  /// Overwrites numbers anywhere: in the tables that hold the lengths of tiles, and in tiles.
  private mutating func overwriteNumbers() {
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      guard bytes.count > 8 else { return }
      let place = Int.random(in: 0..<bytes.count - 8, using: &random) & ~3
      let odd: [UInt64] = [0, 1, .max, 1 << 31, 1 << 32 - 1, 0x7fff_ffff, random.next()]
      let number = odd.randomElement(using: &random) ?? 0
      let size = [1, 2, 4, 8].randomElement(using: &random) ?? 4
      for byte in 0..<size { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
  }

  /// The offsets of cards with values.
  private var cardOffsets: [Int] {
    stride(from: 0, to: bytes.count - Self.cardLength, by: Self.cardLength).filter {
      bytes[$0 + 8] == UInt8(ascii: "=") && bytes[$0 + 9] == UInt8(ascii: " ")
    }
  }

  private mutating func put(value: String, at offset: Int) {
    put(String(repeating: " ", count: max(0, 20 - value.count)) + value + " / ", at: offset + 10)
  }

  private mutating func put(_ text: String, at offset: Int) {
    for (index, byte) in text.utf8.enumerated() where offset + index < bytes.count {
      bytes[offset + index] = byte
    }
  }
}

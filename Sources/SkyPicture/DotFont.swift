/// A font of 5 × 7 dots, with one more row for descenders, for the printable characters of ASCII.
/// The shapes are those of dot-matrix displays.
enum DotFont {
  /// The height of capitals and figures, in dots.
  static let height = 7
  /// The distance from one character to the next, in dots.
  static let advance = 6

  /// The dots of a character, counted from its upper left corner. A character that is not ASCII is
  /// shown as "?".
  static func dots(of character: Character) -> [(column: Int, row: Int)] {
    let code = character.asciiValue.map { Int($0) - 32 } ?? -1
    let glyph = glyphs.indices.contains(code) ? glyphs[code] : glyphs[31]
    return (0..<5).flatMap { column in
      (0...height).filter { row in glyph >> (8 * (4 - column) + row) & 1 == 1 }
        .map { (column: column, row: $0) }
    }
  }

  /// The glyphs from the space to "~". Each has a byte per column, with the left column in the
  /// highest byte and the upper dot in the lowest bit.
  private static let glyphs: [UInt64] = [
    0x00_0000_0000, 0x00_005F_0000, 0x00_0700_0700, 0x14_7F14_7F14, 0x24_2A7F_2A12,
    0x23_1308_6462, 0x36_4955_2250, 0x00_0503_0000, 0x00_1C22_4100, 0x00_4122_1C00,
    0x08_2A1C_2A08, 0x08_083E_0808, 0x00_A060_0000, 0x08_0808_0808, 0x00_6060_0000,
    0x20_1008_0402, 0x3E_5149_453E, 0x00_427F_4000, 0x42_6151_4946, 0x21_4145_4B31,
    0x18_1412_7F10, 0x27_4545_4539, 0x3C_4A49_4930, 0x01_7109_0503, 0x36_4949_4936,
    0x06_4949_291E, 0x00_3636_0000, 0x00_A06C_0000, 0x00_0814_2241, 0x14_1414_1414,
    0x41_2214_0800, 0x02_0151_0906, 0x32_4979_413E, 0x7E_1111_117E, 0x7F_4949_4936,
    0x3E_4141_4122, 0x7F_4141_221C, 0x7F_4949_4941, 0x7F_0909_0901, 0x3E_4149_493A,
    0x7F_0808_087F, 0x00_417F_4100, 0x20_4041_3F01, 0x7F_0814_2241, 0x7F_4040_4040,
    0x7F_0204_027F, 0x7F_0408_107F, 0x3E_4141_413E, 0x7F_0909_0906, 0x3E_4151_215E,
    0x7F_0919_2946, 0x46_4949_4931, 0x01_017F_0101, 0x3F_4040_403F, 0x1F_2040_201F,
    0x7F_2018_207F, 0x63_1408_1463, 0x03_0478_0403, 0x61_5149_4543, 0x00_007F_4141,
    0x02_0408_1020, 0x41_417F_0000, 0x04_0201_0204, 0x80_8080_8080, 0x00_0102_0400,
    0x20_5454_5478, 0x7F_4844_4438, 0x38_4444_4420, 0x38_4444_487F, 0x38_5454_5418,
    0x08_7E09_0102, 0x18_A4A4_A47C, 0x7F_0804_0478, 0x00_447D_4000, 0x40_8080_7D00,
    0x00_7F10_2844, 0x00_417F_4000, 0x7C_0418_0478, 0x7C_0804_0478, 0x38_4444_4438,
    0xFC_4444_4438, 0x38_4444_44FC, 0x7C_0804_0408, 0x48_5454_5420, 0x04_3F44_4020,
    0x3C_4040_207C, 0x1C_2040_201C, 0x3C_4030_403C, 0x44_2810_2844, 0x1C_A0A0_A07C,
    0x44_6454_4C44, 0x00_0836_4100, 0x00_007F_0000, 0x00_4136_0800, 0x08_0408_1008,
  ]
}

import Foundation
import Testing

@testable import SkyCatalog
@testable import SkyDetection

/// What SExtractor 2.25 does with `$NAME` in its values, except that a variable behind a keyword's first value counts
/// here, too.
@Suite("Environment variables in SExtractor's values")
struct SExtractorVariablesTests {
  private static let variables = [
    "SKYNET_TEST_NUMBER": "25.5", "SKYNET_TEST_DIGIT": "5", "SKYNET_TEST_LIST": "5,10",
    "SKYNET_TEST_WORD": "abc", "SKYNET_TEST_EMPTY": "", "SKYNET_TEST_COMMENT": "#5",
    "SKYNET_TEST_TYPE": "map_rms", "SKYNET_TEST_YES": "y",
  ]

  /// Sets them once, as tests run side by side.
  private static let areSet: Void = {
    for (name, value) in variables { setenv(name, value, 1) }
  }()

  init() { Self.areSet }

  private func sex(_ text: String, _ words: (String, String)...) throws -> SExtractorConfiguration {
    try SExtractorConfiguration(
      text: text, file: "a.sex",
      for: .sex(words.map { SExtractorSetting(keyword: $0.0, word: $0.1) }))
  }

  private func fault(_ text: String, _ words: (String, String)...) -> String {
    let words = words.map { SExtractorSetting(keyword: $0.0, word: $0.1) }
    let fault = #expect(throws: SExtractorFileError.self, "\(text)") {
      try SExtractorConfiguration(text: text, file: "a.sex", for: .sex(words))
    }
    return fault?.description ?? ""
  }

  @Test(
    "A number may be named, alone, in braces, in quotation marks and within a word",
    arguments: [
      ("$SKYNET_TEST_NUMBER", 25.5), ("${SKYNET_TEST_NUMBER}", 25.5),
      ("\"$SKYNET_TEST_NUMBER\"", 25.5), ("2$SKYNET_TEST_DIGIT", 25),
      ("2${SKYNET_TEST_DIGIT}.5", 25.5), ("${SKYNET_TEST_DIGIT}${SKYNET_TEST_DIGIT}", 55),
      ("${SKYNET_TEST_NUMBER", 25.5), ("25 # $SKYNET_NO_SUCH", 25), ("25 $SKYNET_NO_SUCH", 25),
    ])
  func numbers(text: String, number: Double) throws {
    for read in [
      try sex("MAG_ZEROPOINT \(text)"), try sex("", ("MAG_ZEROPOINT", text)),
      try SExtractorConfiguration(text: "MAG_ZEROPOINT \(text)", file: "a.sex"),
    ] {
      #expect(read.zeroPoint == number)
      #expect(read.warnings.isEmpty)
    }
  }

  @Test("So may a name, yes or no, a header's keyword, and files")
  func others() throws {
    let read = try sex(
      """
      WEIGHT_TYPE $SKYNET_TEST_TYPE
      FILTER $SKYNET_TEST_YES
      GAIN_KEY x$SKYNET_TEST_WORD
      FILTER_NAME kernels/${SKYNET_TEST_WORD}.conv
      CATALOG_NAME ${SKYNET_TEST_WORD}.cat
      CHECKIMAGE_TYPE BACKGROUND,BACKGROUND_RMS
      CHECKIMAGE_NAME ${SKYNET_TEST_WORD}/b.fits,${SKYNET_TEST_WORD}/r.fits
      """)
    #expect(read.weightKind == .deviation && read.filters && read.gainKey == "XABC")
    #expect(try read.expandedCatalogPath == "abc.cat")
    #expect(try read.expandedCheckImages.map(\.path) == ["abc/b.fits", "abc/r.fits"])
    #expect(ExtractionHeader(read, file: nil).kernel == "abc.conv")
    #expect(read.variables == ["SKYNET_TEST_TYPE", "SKYNET_TEST_YES", "SKYNET_TEST_WORD"])
  }

  @Test("A variable that does not exist is an error with its name and line, wherever it stands")
  func unset() throws {
    #expect(
      fault("\nMAG_ZEROPOINT $SKYNET_NO_SUCH") == "a.sex:2: MAG_ZEROPOINT names $SKYNET_NO_SUCH, "
        + "which the environment does not have; set it, or write the value without it")
    #expect(
      fault("", ("mag_zeropoint", "$no_such"))
        == "command line: MAG_ZEROPOINT names $no_such, which the environment does not have; set it, "
        + "or write the value without it")
    // A name ends at few characters.
    #expect(fault("GAIN $SKYNET_TEST_DIGIT.5").contains("names $SKYNET_TEST_DIGIT.5, which"))
    #expect(fault("PHOT_APERTURES 5,$SKYNET_NO_SUCH").contains("names $SKYNET_NO_SUCH"))
    // Also of a setting that a later one overrules, and of one without effect.
    #expect(fault("GAIN $SKYNET_NO_SUCH\nGAIN 1", ("GAIN", "2")).contains("names $SKYNET_NO_SUCH"))
    #expect(fault("XSL_URL $SKYNET_NO_SUCH").contains("names $SKYNET_NO_SUCH"))
    // Of a name that went on further than was meant.
    let hint =
      "; a name goes on to a slash, a colon or the value's end, so write ${NAME} where it ends elsewhere"
    for value in [
      "$SKYNET_NO_SUCH$TWO", "$SKYNET_NO_SUCH#5", "$(SKYNET_NO_SUCH)", "$SKYNET_NO_SUCH.5",
    ] {
      #expect(fault("MAG_ZEROPOINT \(value)").hasSuffix("or write the value without it" + hint))
    }
    // An unknown keyword has no value.
    #expect(try sex("FOO $SKYNET_NO_SUCH\nGAIN 1").gain == 1)
  }

  @Test("Each value of a list may be named, and sex says where SExtractor reads another value")
  func lists() throws {
    let read = try sex("PHOT_APERTURES $SKYNET_TEST_DIGIT,$SKYNET_TEST_NUMBER")
    #expect(read.apertures == [5, 25.5])
    #expect(
      read.warnings == [
        "PHOT_APERTURES has “$SKYNET_TEST_NUMBER” behind its first value: its value counts here, and "
          + "SExtractor takes it for 0"
      ])
    let engaged = try SExtractorConfiguration(
      text: "PHOT_APERTURES $SKYNET_TEST_DIGIT,$SKYNET_TEST_NUMBER", file: "a.sex")
    #expect(engaged.apertures == [5, 25.5])
    // A variable's value is one value, of which SExtractor reads what is a number.
    let one = try sex("PHOT_APERTURES $SKYNET_TEST_LIST,20")
    #expect(one.apertures == [5, 20])
    #expect(
      one.warnings == [
        "PHOT_APERTURES is “$SKYNET_TEST_LIST”, whose value counts as 5.0, as in SExtractor"
      ])
    #expect(throws: SExtractorFileError.self) {
      try SExtractorConfiguration(text: "PHOT_APERTURES $SKYNET_TEST_LIST", file: "a.sex")
    }
  }

  @Test("A value that may not be quoted is told by its keyword")
  func notQuoted() throws {
    #expect(
      try sex("DETECT_MINAREA ${SKYNET_TEST_DIGIT}.7").warnings == [
        "the value of DETECT_MINAREA counts as 5, as in SExtractor"
      ])
  }

  @Test("Values that are no numbers count as in SExtractor, with a warning, and are not shown")
  func odd() throws {
    for name in ["WORD", "EMPTY"] {
      let read = try sex("MAG_ZEROPOINT 1\nMAG_ZEROPOINT $SKYNET_TEST_\(name)")
      #expect(read.zeroPoint == 0)
      #expect(
        read.warnings == [
          "MAG_ZEROPOINT is “$SKYNET_TEST_\(name)”, whose value counts as 0.0, as in SExtractor"
        ])
    }
    #expect(
      fault("DETECT_MINAREA $SKYNET_TEST_WORD")
        == "a.sex:1: DETECT_MINAREA is “$SKYNET_TEST_WORD”, which stands for another value; a whole number from 1 "
        + "to 1000000 is needed")
    for text in [
      "MAG_ZEROPOINT $SKYNET_TEST_COMMENT", "GAIN_KEY $SKYNET_TEST_EMPTY",
      "FILTER $SKYNET_TEST_EMPTY", "CATALOG_NAME $SKYNET_TEST_EMPTY",
    ] { #expect(fault(text).hasPrefix("a.sex:1: ")) }
  }
}

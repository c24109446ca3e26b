import Foundation
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("The table of SExtractor's keywords")
struct SExtractorKeywordTests {
  private func sex(_ text: String, _ words: (String, String)...) throws -> SExtractorConfiguration {
    try SExtractorConfiguration(
      text: text, file: "a.sex",
      for: .sex(words.map { SExtractorSetting(keyword: $0.0, word: $0.1) }))
  }

  @Test("SExtractor's separators part words, and no other spaces do")
  func words() {
    let words = { SExtractorSetting(keyword: "PHOT_APERTURES", word: $0).values }
    #expect(words("4,8;\t17\n20\r\n\"21\"=22 # 23") == ["4", "8", "17", "20", "21", "22"])
    #expect(words("4\u{a0}8") == ["4\u{a0}8"])
  }

  @Test(
    """
    docs/sextractor.md is what the tables make: \
    skynet sextractor-manual docs/sextractor-shares.tsv > docs/sextractor.md
    """)
  func manual() throws {
    func text(_ name: String) throws -> String {
      try String(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appending(path: "../../../docs/\(name)"), encoding: .utf8)
    }
    let shares = try text("sextractor-shares.tsv")
    #expect(try text("sextractor.md") == SExtractorPages.manual(shares: shares))
  }

  @Test("The defaults that -dd prints are those of a configuration without settings")
  func defaults() throws {
    let read = try sex(SExtractorPages.defaults(all: true))
    var expected = SExtractorConfiguration()
    expected.kernelPath = "default.conv"
    expected.columnsPath = "default.param"
    #expect(read == expected)
    let common = SExtractorPages.defaults(all: false)
    #expect(common.contains("DETECT_MINAREA") && !common.contains("DETECT_MAXAREA"))
    #expect(Set(SExtractorKeyword.all.map(\.name)).count == SExtractorKeyword.all.count)
  }

  @Test("-dp and -dd have every description as a whole")
  func descriptions() {
    let lines = SExtractorPages.columns.split(separator: "\n")
    for (column, line) in zip(Column.allCases, lines) {
      #expect((line + " ").contains(" \(column.description) "), "\(column)")
    }
    for keyword in SExtractorKeyword.all {
      #expect(SExtractorPages.defaults(all: true).contains(" # \(keyword.about)\n"))
    }
  }

  @Test("Settings of detection, weights, photometry, background and catalogue are read")
  func settings() throws {
    let text = """
      DETECT_MAXAREA 100
      THRESH_TYPE ABSOLUTE
      DETECT_THRESH 22,25
      ANALYSIS_THRESH 23,26
      MASK_TYPE BLANK
      WEIGHT_TYPE MAP_RMS
      WEIGHT_IMAGE r.fits
      RESCALE_WEIGHTS N
      WEIGHT_THRESH 0.5
      PHOT_PETROPARAMS 1.5,3
      PHOT_AUTOAPERS 0,7.41
      PHOT_FLUXFRAC 0.2,0.5,0.8
      MAG_ZEROPOINT 25
      PIXEL_SCALE 0
      SEEING_FWHM 0.9
      STARNNW_NAME a.nnw
      BACK_TYPE MANUAL
      BACK_VALUE 3,4
      BACK_SIZE 64,32
      BACK_FILTERSIZE 5,7
      BACK_FILTTHRESH 2
      BACKPHOTO_TYPE LOCAL
      BACKPHOTO_THICK 30
      CATALOG_NAME b.cat
      CATALOG_TYPE FITS_LDAC
      """
    let read = try SExtractorConfiguration(SExtractorReader(text, file: "a.sex"))
    #expect(read.maximumArea == 100 && read.isThresholdAbsolute && read.masking == .blank)
    #expect([read.threshold, read.analysisThreshold] == [22, 23])
    #expect([read.thresholdZeroPoint, read.analysisZeroPoint] == [25, 26])
    #expect(read.weightKind == .deviation && read.weightPath == "r.fits")
    #expect(!read.rescalesWeights && read.weightThreshold == 0.5)
    #expect(read.petrosian == [1.5, 3])
    #expect(read.leastCircles == .init(search: 0, flux: 7.41))
    #expect(read.fluxFractions == [0.2, 0.5, 0.8])
    #expect([read.zeroPoint, read.pixelScale, read.seeing] == [25, 0, 0.9])
    #expect(read.networkPath == "a.nnw")
    #expect(read.manualBackground == 3)
    #expect(read.meshWidth == 64 && read.meshHeight == 32)
    #expect(read.filterWidth == 5 && read.filterHeight == 7)
    #expect(read.filterThreshold == 2)
    #expect(read.localThickness == 30)
    #expect(read.catalogPath == "b.cat" && read.catalogFormat == .ldac)
  }

  @Test("Settings of the background are obeyed, and those for a second image are not read")
  func background() throws {
    let read = try SExtractorConfiguration(
      text: """
        BACK_SIZE 64,32
        BACK_FILTERSIZE 5,7
        BACK_FILTTHRESH 2
        BACK_TYPE AUTO,MANUAL
        BACK_VALUE 3,4
        BACKPHOTO_TYPE LOCAL
        """, file: "a.sex")
    #expect(read.meshHeight == 32 && read.filterHeight == 7 && read.filterThreshold == 2)
    #expect(read.manualBackground == 3 && read.localThickness == 24)
    let global = try SExtractorConfiguration(
      text: "BACK_VALUE 3\nBACKPHOTO_THICK 9", file: "a.sex")
    var expected = SExtractorConfiguration()
    // What the catalogue's header says, though it has no effect.
    expected.told.localThickness = 9
    #expect(global == expected)
  }

  @Test("Settings of the command line overrule the file's")
  func commandLine() throws {
    let read = try sex(
      "DETECT_MINAREA 9\nGAIN 3\n", ("detect_minarea", "7"), ("PHOT_APERTURES", "3,5"))
    #expect(read.minimumArea == 7 && read.gain == 3)
    #expect(read.apertures == [3, 5])
  }

  @Test("An error shows what was typed, and names the command line once")
  func typed() {
    func said(_ words: (String, String)...) -> String? {
      let words = words.map { SExtractorSetting(keyword: $0.0, word: $0.1) }
      return #expect(throws: SExtractorFileError.self) {
        try SExtractorConfiguration(text: "GAIN 1\n", file: "a.sex", for: .sex(words))
      }?.description
    }
    #expect(
      said(("DETECT_THRESH", "abcdefghijkl"))
        == "command line: DETECT_THRESH is “abcdefghijkl”; numbers over 0 are needed")
    #expect(
      said(("CHECKIMAGE_TYPE", "-BACKGROUND"))
        == "command line: CHECKIMAGE_TYPE -BACKGROUND has no counterpart here, and would make other "
        + "files; leave it out, which means SExtractor's default")
    #expect(
      said(("WEIGHT_TYPE", "MAP_WEIGHT"), ("WEIGHT_IMAGE", "./w1.fits,w1.fits"))?.hasSuffix(
        "; write one file, and write it once") == true)
    #expect(
      said(("CHECKIMAGE_TYPE", "-objects"), ("write_xml", "y"))?.hasPrefix(
        "command line: CHECKIMAGE_TYPE -objects and WRITE_XML y have no counterpart here") == true)
  }

  @Test("sex warns of what SExtractor skips or reads as 0")
  func warnings() throws {
    let read = try sex(
      "PIXEL_SCALE SECPIX\nFOO 1\nskynet-key-00\n", ("DETECT_MINAREA", "5.7"), ("Foo", "1"))
    #expect(read.pixelScale == 0 && read.minimumArea == 5)
    #expect(
      read.warnings == [
        "FOO keyword unknown", "line 3: keyword unknown", "Foo keyword unknown",
        "PIXEL_SCALE is “SECPIX”, which counts as 0.0, as in SExtractor",
        "DETECT_MINAREA is “5.7”, which counts as 5, as in SExtractor",
      ])
    #expect(throws: SExtractorFileError.self) { try sex("DETECT_MINAREA few") }
    #expect(try sex("FOOBAR 1\n").warnings == ["FOOBAR keyword unknown"])
    // A file of something else has no keyword at all.
    #expect(throws: SExtractorFileError.self) { try sex("FOOBAR 1\nskynet-key-00\n") }
    #expect(throws: SExtractorFileError.self) { try sex("NUMBER\nX_IMAGE\n") }
  }

  @Test("Whole numbers are SExtractor's: in a list 010 is 8, and 1e1 is 1")
  func wholeNumbers() throws {
    let read = try sex("BACK_SIZE 0x20,040\nDETECT_MINAREA 010\nDEBLEND_NTHRESH 1e1\nGAIN 1e1\n")
    #expect(read.meshWidth == 32 && read.meshHeight == 32 && read.minimumArea == 10)
    #expect(read.deblendLevels == 1 && read.gain == 10)
    #expect(
      read.warnings == [
        "BACK_SIZE is “040”, which counts as 32, as in SExtractor",
        "DEBLEND_NTHRESH is “1e1”, which counts as 1, as in SExtractor",
      ])
    for text in ["BACK_SIZE 040", "DETECT_MINAREA 1e1"] {
      #expect(throws: SExtractorFileError.self) {
        try SExtractorConfiguration(text: text, file: "a.sex")
      }
    }
  }

  @Test("The reason of a refusal is what the settings would change")
  func reasons() {
    for (text, made) in [
      ("INTERP_TYPE VAR_ONLY", "another catalogue"), ("WRITE_XML Y", "other files"),
      ("WRITE_XML Y\nDETECT_TYPE PHOTO", "another catalogue or other files"),
    ] {
      let fault = #expect(throws: SExtractorFileError.self) { try sex(text) }
      #expect(fault?.fault.hasSuffix("and would make \(made)") == true)
    }
  }

  @Test(
    "sex refuses what would make other files",
    arguments: [
      "CHECKIMAGE_TYPE SEGMENTATION", "WRITE_XML Y", "CATALOG_TYPE ASCII_VOTABLE",
      "DETECT_TYPE PHOTO", "FITS_UNSIGNED Y", "DGEO_TYPE PIXEL",
    ])
  func refused(text: String) throws {
    let fault = #expect(throws: SExtractorFileError.self) { try sex(text) }
    #expect(fault?.code == .unsupported)
    #expect(fault?.fault.hasPrefix("\(text) has no counterpart here") == true)
  }
}

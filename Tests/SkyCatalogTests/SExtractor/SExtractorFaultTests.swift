import Foundation
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("Faults in SExtractor's configuration")
struct SExtractorFaultTests {
  @Test(
    "A fault names its line and what is needed",
    arguments: [
      (
        "\nDETECT_TRESH 2",
        "a.sex:2: SExtractor has no keyword DETECT_TRESH; check its spelling, or remove the line"
      ),
      (
        "DETECT_MINAREA abc # few",
        "a.sex:1: DETECT_MINAREA is “abc”; a whole number from 1 to 1000000 is needed"
      ),
      ("DETECT_MINAREA 5.5", "a.sex:1: DETECT_MINAREA is “5.5”"),
      ("DETECT_MINAREA 0", "a.sex:1: DETECT_MINAREA is “0”"),
      ("DETECT_MINAREA # 5", "a.sex:1: DETECT_MINAREA has no value; a whole number"),
      ("DETECT_THRESH nan", "a.sex:1: DETECT_THRESH is “nan”; numbers over 0 are needed"),
      (
        "ANALYSIS_THRESH -1",
        "a.sex:1: ANALYSIS_THRESH is “-1”; numbers over 0 are needed"
      ),
      ("THRESH_TYPE RELATIV", "a.sex:1: THRESH_TYPE is “RELATIV”; one of RELATIVE, ABSOLUTE is"),
      ("DEBLEND_NTHRESH 65", "a.sex:1: DEBLEND_NTHRESH is “65”; a whole number from 1 to 64 is"),
      ("DEBLEND_MINCONT 2", "a.sex:1: DEBLEND_MINCONT is “2”; a number from 0 to 1 is needed"),
      ("CLEAN maybe", "a.sex:1: CLEAN is “maybe”; Y or N is needed"),
      ("CLEAN_PARAM 0", "a.sex:1: CLEAN_PARAM is “0”; a number from 0.1 to 10 is needed"),
      ("FILTER", "a.sex:1: FILTER has no value; Y or N is needed"),
      ("FILTER_NAME $NO_SUCH/a.conv", "a.sex:1: FILTER_NAME names $NO_SUCH, which the environment"),
      ("FILTER_NAME", "a.sex:1: FILTER_NAME has no value; a path"),
      ("BACK_SIZE 64,0", "a.sex:1: BACK_SIZE is “0”; whole numbers from 1"),
      (
        "BACK_FILTERSIZE x",
        "a.sex:1: BACK_FILTERSIZE is “x”; whole numbers from 1 to 11 are needed"
      ),
      ("WEIGHT_TYPE MAP_WIGHT", "a.sex:1: WEIGHT_TYPE is “MAP_WIGHT”; one of NONE, BACKGROUND"),
      (
        "PHOT_APERTURES 5,x",
        "a.sex:1: PHOT_APERTURES is “x”; numbers over 0, of at most 1024, are needed"
      ),
      (
        "PHOT_APERTURES 5000",
        "a.sex:1: PHOT_APERTURES is “5000”; numbers over 0, of at most 1024, are needed"
      ),
      (
        "DETECT_THRESH skynet-key-00", "a.sex:1: DETECT_THRESH has a wrong value; numbers over 0"
      ),
      (
        "PHOT_AUTOPARAMS 2.5", "a.sex:1: PHOT_AUTOPARAMS has only 1 value; two numbers from 0 to 10"
      ),
      ("PHOT_AUTOPARAMS 1,2,3", "a.sex:1: PHOT_AUTOPARAMS has 3 values; two numbers from 0 to 10"),
      ("SATUR_LEVEL high", "a.sex:1: SATUR_LEVEL is “high”; a number is needed"),
      ("GAIN -1", "a.sex:1: GAIN is “-1”; a number of 0 or more is needed"),
      ("BACK_TYPE AUTOMATIC", "a.sex:1: BACK_TYPE is “AUTOMATIC”; one of AUTO, MANUAL is needed"),
      ("MASK_TYPE", "a.sex:1: MASK_TYPE has no value; one of NONE, BLANK, CORRECT is needed"),
    ])
  func faults(text: String, says: String) {
    let fault = #expect(throws: SExtractorFileError.self) {
      try SExtractorConfiguration(text: text, file: "a.sex")
    }
    #expect(fault?.description.hasPrefix(says) == true, "\(fault?.description ?? "")")
  }

  @Test("All faults are told at once, each with its place")
  func allFaults() throws {
    let fault = #expect(throws: SExtractorFileError.self) {
      try SExtractorConfiguration(
        text: """
          DETECT_MINAREA few
          DETECT_TYPE PHOTO
          DETECT_TRESH 3
          FILTER_NAME $SKYNET_NO_SUCH/a.conv
          INTERP_TYPE VAR_ONLY
          CLEAN maybe
          """, file: "a.sex")
    }
    let said = try #require(fault).description.components(separatedBy: "; ")
    #expect(
      said.filter { $0.hasPrefix("a.sex:") } == [
        "a.sex:3: SExtractor has no keyword DETECT_TRESH",
        "a.sex:4: FILTER_NAME names $SKYNET_NO_SUCH, which the environment does not have",
        "a.sex:1: DETECT_MINAREA is “few”", "a.sex:6: CLEAN is “maybe”",
        "a.sex: DETECT_TYPE PHOTO (line 2) and INTERP_TYPE VAR_ONLY (line 5) have no counterpart here, and would "
          + "make another catalogue",
      ], "\(said)")
  }

  /// The keywords are all those of `source-extractor -dd`, version 2.25.
  @Test("Every keyword of SExtractor's is known")
  func keywords() {
    let keywords = """
      ANALYSIS_THRESH ASSOCCOORD_TYPE ASSOCSELEC_TYPE ASSOC_DATA ASSOC_NAME ASSOC_PARAMS
      ASSOC_RADIUS ASSOC_TYPE BACKPHOTO_THICK BACKPHOTO_TYPE BACK_FILTERSIZE BACK_FILTTHRESH
      BACK_SIZE BACK_TYPE BACK_VALUE CATALOG_NAME CATALOG_TYPE CHECKIMAGE_NAME CHECKIMAGE_TYPE
      CLEAN CLEAN_PARAM DEBLEND_MINCONT DEBLEND_NTHRESH DETECT_MAXAREA DETECT_MINAREA DETECT_THRESH
      DETECT_TYPE DGEO_IMAGE DGEO_TYPE FILTER FILTER_NAME FILTER_THRESH FITS_UNSIGNED FLAG_IMAGE
      FLAG_TYPE GAIN GAIN_KEY HEADER_SUFFIX INTERP_MAXXLAG INTERP_MAXYLAG INTERP_TYPE MAG_GAMMA
      MAG_ZEROPOINT MASK_TYPE MEMORY_BUFSIZE MEMORY_OBJSTACK MEMORY_PIXSTACK NTHREADS
      PARAMETERS_NAME PATTERN_TYPE PHOT_APERTURES PHOT_AUTOAPERS PHOT_AUTOPARAMS PHOT_FLUXFRAC
      PHOT_PETROPARAMS PIXEL_SCALE PSF_NAME PSF_NMAX RESCALE_WEIGHTS SATUR_KEY SATUR_LEVEL
      SEEING_FWHM SOM_NAME STARNNW_NAME THRESH_TYPE VERBOSE_TYPE WEIGHT_GAIN WEIGHT_IMAGE
      WEIGHT_THRESH WEIGHT_TYPE WRITE_XML XML_NAME XSL_URL
      """
    let unknown = keywords.split(whereSeparator: \.isWhitespace)
      .filter { SExtractorKeyword(String($0)) == nil }
    #expect(unknown.isEmpty)
  }
}

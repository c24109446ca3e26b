import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("SExtractor's configuration")
struct SExtractorConfigurationTests {
  private func read(_ text: String) throws -> SExtractorConfiguration {
    try SExtractorConfiguration(text: text, file: "default.sex")
  }

  /// The error with which a text is refused.
  private func fault(_ text: String) -> SExtractorFileError? {
    #expect(throws: SExtractorFileError.self) { try read(text) }
  }

  @Test("All settings of SExtractor's default file are read")
  func defaultFile() throws {
    let read = try read(
      defaultConfiguration.replacing("CATALOG_TYPE     ASCII_HEAD", with: "CATALOG_TYPE     NONE"))
    // What the file says is what SExtractor takes without it.
    var expected = SExtractorConfiguration()
    expected.kernelPath = "default.conv"
    expected.columnsPath = "default.param"
    expected.catalogFormat = .none
    #expect(read == expected)
    #expect(read.notice(file: "default.sex") == nil)
  }

  @Test("An empty file has SExtractor's defaults")
  func empty() throws {
    #expect(try read("") == SExtractorConfiguration())
    #expect(try read("# only\n\n  # comments\r\n") == SExtractorConfiguration())
  }

  @Test("Values are read in all of SExtractor's spellings")
  func spellings() throws {
    let read = try read(
      """
      detect_thresh\t=\t2 # and more
      PHOT_APERTURES 3, 5.5,7;9 10 # pixels
      BACK_SIZE 32,32
      WEIGHT_IMAGE "maps/weight.fits"
      Weight_Type map_weight
      DETECT_MINAREA 3 # overruled
      DETECT_MINAREA 8 pixels
      FILTER no
      FILTER_NAME nowhere.conv
      CLEAN n
      """)
    #expect(read.threshold == 2)
    #expect(read.apertures == [3, 5.5, 7, 9, 10])
    #expect(read.meshWidth == 32 && read.meshHeight == 32)
    #expect(read.weightPath == "maps/weight.fits")
    #expect(read.minimumArea == 8)
    #expect(read.filters == false)
    #expect(read.kernelPath == nil)
    #expect(read.cleans == false)
  }

  @Test(
    "A setting that would make another catalogue is refused",
    arguments: [
      ("INTERP_TYPE VAR_ONLY", "INTERP_TYPE VAR_ONLY"),
      ("WEIGHT_TYPE NONE,MAP_WEIGHT\nWEIGHT_IMAGE a.fits", "WEIGHT_TYPE NONE,MAP_WEIGHT"),
      ("DETECT_TYPE PHOTO", "DETECT_TYPE PHOTO"),
      ("\nRESCALE_WEIGHTS N,Y", "RESCALE_WEIGHTS N,Y"),
      ("WEIGHT_THRESH 1,2", "WEIGHT_THRESH 1,2"),
      ("CATALOG_TYPE FITS_LDAC", "CATALOG_TYPE FITS_LDAC"),
      ("CATALOG_TYPE ASCII_HEAD", "CATALOG_TYPE ASCII_HEAD"),
      ("CATALOG_TYPE ASCII", "CATALOG_TYPE ASCII"),
    ])
  func unsupported(text: String, named: String) throws {
    let fault = fault(text)
    #expect(fault?.code == .unsupported)
    #expect(
      fault?.fault == "\(named) has no counterpart here, and would make another catalogue")
  }

  @Test("One error names all unsupported settings")
  func severalUnsupported() throws {
    #expect(
      fault("DETECT_TYPE PHOTO\nDGEO_TYPE PIXEL\nINTERP_MAXXLAG 9\nVERBOSE_TYPE FULL")?.description
        == "default.sex: DETECT_TYPE PHOTO (line 1), DGEO_TYPE PIXEL (line 2) and INTERP_MAXXLAG 9 "
        + "(line 3) have no counterpart here, and would make another catalogue; remove the lines, "
        + "which means SExtractor's default")
  }

  @Test("Check images of the background have names of their own, and others are refused")
  func checkImages() throws {
    func read(_ text: String) throws -> [CheckImage] {
      try SExtractorConfiguration(text: text, file: "a.sex", for: .sex([])).checkImages
    }
    #expect(
      try read(
        "CHECKIMAGE_TYPE BACKGROUND, none,background_rms\nCHECKIMAGE_NAME b.fits,x.fits,r.fits")
        == [CheckImage(.background, path: "b.fits"), CheckImage(.noise, path: "r.fits")])
    #expect(try read("CHECKIMAGE_TYPE BACKGROUND").map(\.path) == ["check.fits"])
    #expect(try read("CHECKIMAGE_TYPE NONE\nCHECKIMAGE_NAME a.fits,b.fits").isEmpty)
    for text in [
      "CHECKIMAGE_TYPE BACKGROUND,BACKGROUND_RMS", "CHECKIMAGE_TYPE OBJECTS",
      "CHECKIMAGE_TYPE BACKGROUND,OBJECTS\nCHECKIMAGE_NAME a.fits,b.fits",
    ] {
      #expect(throws: SExtractorFileError.self, "\(text)") { try read(text) }
    }
  }

  @Test("An output of engage may have the configuration's format")
  func ownFormat() throws {
    let text = "CATALOG_TYPE FITS_LDAC"
    let configuration = try SExtractorConfiguration(
      text: text, file: "a.sex", for: .engageInFormat)
    #expect(configuration.catalogFormat == .ldac)
    #expect(throws: SExtractorFileError.self) {
      try SExtractorConfiguration(text: text, file: "a.sex", for: .engage)
    }
    #expect(throws: SExtractorFileError.self) {
      try SExtractorConfiguration(
        text: "CATALOG_TYPE ASCII_VOTABLE", file: "a.sex", for: .engageInFormat)
    }
  }

  @Test("The error about the catalogue's format says what chooses it here")
  func format() {
    #expect(
      fault("CATALOG_TYPE ASCII_HEAD")?.nextStep
        == "remove the line, which means that the ending of --catalog FILE chooses the format: .csv, "
        + ".ecsv, .fits or .reg; another ending, such as .cat, chooses "
        + "ASCII, ASCII_HEAD, FITS_1.0, FITS_LDAC")
    #expect(
      fault("CATALOG_TYPE ASCII\nDETECT_TYPE PHOTO")?.nextStep.contains("--catalog FILE") == true)
  }

  @Test("A path may name environment variables, and one that does not exist is an error")
  func variables() throws {
    #expect(try read("FILTER_NAME $HOME/k.conv").kernelPath == "$HOME/k.conv")
    #expect(
      fault("\nPARAMETERS_NAME ${SKYNET_NO_SUCH}/a.param")?.description
        == "default.sex:2: PARAMETERS_NAME names $SKYNET_NO_SUCH, which the environment does not "
        + "have; set it, or write the value without it")
    #expect(fault("FILTER_NAME $no-such-name/a.conv")?.fault.contains("no-such") == false)
    let environment = ["A": "one", "B_2": "two"]
    for (text, expanded) in [
      ("$A/x", "one/x"), ("/d/${B_2}x$A", "/d/twoxone"), ("plain", "plain"), ("$A:$B_2", "one:two"),
    ] {
      #expect(try EnvironmentVariables.expand(text) { environment[$0] } == expanded)
    }
  }

  @Test("SExtractor's default for an unsupported setting is accepted")
  func defaults() throws {
    let text = """
      BACK_FILTERSIZE 3,3
      BACK_FILTTHRESH 0.0
      PHOT_AUTOAPERS 0.0,0
      RESCALE_WEIGHTS yes,Y
      back_type auto
      WEIGHT_THRESH
      """
    #expect(try read(text) == SExtractorConfiguration())
  }

  @Test(
    "Each type of weights has its kind, and only a map has a file",
    arguments: [
      ("NONE", nil, nil), ("BACKGROUND", .background, nil), ("MAP_RMS", .deviation, "w.fits"),
      ("map_var", .variance, "w.fits"), ("MAP_WEIGHT", .weight, "w.fits"),
    ] as [(String, DetectionSettings.Weighting.Kind?, String?)])
  func weights(type: String, kind: DetectionSettings.Weighting.Kind?, path: String?) throws {
    let read = try read("WEIGHT_TYPE \(type)\nWEIGHT_IMAGE w.fits")
    #expect(read.weightKind == kind && read.weightPath == path)
  }

  @Test(
    "Weights that are given twice need what counts for the second as well",
    arguments: [
      ("WEIGHT_TYPE MAP_RMS", false), ("WEIGHT_TYPE MAP_RMS,MAP_RMS", true),
      ("WEIGHT_TYPE MAP_RMS\nWEIGHT_IMAGE w,w", true),
      ("WEIGHT_TYPE BACKGROUND,BACKGROUND", false),
      ("WEIGHT_TYPE MAP_RMS,MAP_RMS\nINTERP_TYPE NONE", false),
      ("WEIGHT_TYPE MAP_RMS,MAP_RMS\nINTERP_TYPE ALL,ALL", true),
      (
        "WEIGHT_TYPE MAP_RMS,MAP_RMS\nINTERP_TYPE ALL,ALL\nINTERP_MAXXLAG 16,16\nINTERP_MAXYLAG 16,16",
        false
      ),
    ])
  func secondWeights(text: String, toDetect: Bool) throws {
    #expect(try read(text).interpolatesToDetect == toDetect)
    #expect(try read(text + "\nWEIGHT_THRESH 4,4").weightThreshold == 4)
    let isTwice = text.contains("MS,MAP") || text.contains("w,w") || text.contains("ND,BACK")
    if isTwice {
      #expect(fault(text + "\nWEIGHT_THRESH 4")?.fault.hasPrefix("WEIGHT_THRESH has one") == true)
    } else {
      #expect(try read(text + "\nWEIGHT_THRESH 4").weightThreshold == 4)
    }
  }

  @Test("Two values that mean the same are one")
  func equalValues() throws {
    let text = """
      WEIGHT_TYPE map_rms,MAP_RMS
      RESCALE_WEIGHTS no,N
      WEIGHT_THRESH 5,5.0
      """
    let read = try read(text)
    #expect(read.weightKind == .deviation && !read.rescalesWeights && read.weightThreshold == 5)
  }

  @Test("Thresholds may be in counts, each for itself, or a surface brightness with its zero point")
  func thresholds() throws {
    let counts = try read("THRESH_TYPE ABSOLUTE")
    #expect(counts.isThresholdAbsolute && counts.isAnalysisThresholdAbsolute)
    let mixed = try read("THRESH_TYPE ABSOLUTE,RELATIVE\nDETECT_THRESH 22,25")
    #expect(mixed.isThresholdAbsolute && !mixed.isAnalysisThresholdAbsolute)
    #expect(mixed.threshold == 22 && mixed.thresholdZeroPoint == 25)
    #expect(mixed.analysisZeroPoint == nil)
  }

  @Test("One notice names the settings that only ask for files")
  func outputFiles() throws {
    let read = try read(
      "CATALOG_NAME a.cat\nCATALOG_TYPE FITS_1.0\nCHECKIMAGE_TYPE SEGMENTATION\nWRITE_XML N")
    #expect(
      read.notice(file: "a.sex")
        == "a.sex: CATALOG_NAME a.cat (line 1) and CHECKIMAGE_TYPE SEGMENTATION (line 3) are not "
        + "used here; --catalog and --picture choose the output files")
  }

  @Test(
    "A header keyword must have the form of one",
    arguments: ["GAIN_KEY", "SATUR_KEY"])
  func headerKeyword(keyword: String) throws {
    #expect(fault("\(keyword) TOOLONGAKEY")?.code == .invalidValue)
    #expect(fault("\(keyword) a/b")?.code == .invalidValue)
    #expect(try read("\(keyword) egain") != SExtractorConfiguration())
  }
}

/// The output of `source-extractor -d`, shortened.
let defaultConfiguration = """
  # Default configuration file for Source Extractor 2.25.0
  # EB 2018-02-08
  #
   
  #-------------------------------- Catalog ------------------------------------
   
  CATALOG_NAME     test.cat       # name of the output catalog
  CATALOG_TYPE     ASCII_HEAD     # NONE,ASCII,ASCII_HEAD, ASCII_SKYCAT,
                                  # ASCII_VOTABLE, FITS_1.0 or FITS_LDAC
  PARAMETERS_NAME  default.param  # name of the file containing catalog contents
   
  DETECT_TYPE      CCD            # CCD (linear) or PHOTO (with gamma correction)
  DETECT_MINAREA   5              # min. # of pixels above threshold
  DETECT_MAXAREA   0              # max. # of pixels above threshold (0=unlimited)
  THRESH_TYPE      RELATIVE       # threshold type: RELATIVE (in sigmas)
                                  # or ABSOLUTE (in ADUs)
  DETECT_THRESH    1.5            # <sigmas> or <threshold>,<ZP> in mag.arcsec-2
  ANALYSIS_THRESH  1.5            # <sigmas> or <threshold>,<ZP> in mag.arcsec-2
  FILTER           Y              # apply filter for detection (Y or N)?
  FILTER_NAME      default.conv   # name of the file containing the filter
  FILTER_THRESH                   # Threshold[s] for retina filtering
  DEBLEND_NTHRESH  32             # Number of deblending sub-thresholds
  DEBLEND_MINCONT  0.005          # Minimum contrast parameter for deblending
  CLEAN            Y              # Clean spurious detections? (Y or N)?
  CLEAN_PARAM      1.0            # Cleaning efficiency
  MASK_TYPE        CORRECT        # type of detection MASKing: can be one of
                                  # NONE, BLANK or CORRECT
  WEIGHT_TYPE      NONE           # type of WEIGHTing: NONE, BACKGROUND,
                                  # MAP_RMS, MAP_VAR or MAP_WEIGHT
  WEIGHT_IMAGE     weight.fits    # weight-map filename
  WEIGHT_THRESH                   # weight threshold[s] for bad pixels
  PHOT_APERTURES   5              # MAG_APER aperture diameter(s) in pixels
  PHOT_AUTOPARAMS  2.5, 3.5       # MAG_AUTO parameters: <Kron_fact>,<min_radius>
  PHOT_PETROPARAMS 2.0, 3.5       # MAG_PETRO parameters: <Petrosian_fact>,
                                  # <min_radius>
  PHOT_AUTOAPERS   0.0,0.0        # <estimation>,<measurement> minimum apertures
  SATUR_LEVEL      50000.0        # level (in ADUs) at which arises saturation
  SATUR_KEY        SATURATE       # keyword for saturation level (in ADUs)
  MAG_ZEROPOINT    0.0            # magnitude zero-point
  MAG_GAMMA        4.0            # gamma of emulsion (for photographic scans)
  GAIN             0.0            # detector gain in e-/ADU
  GAIN_KEY         GAIN           # keyword for detector gain in e-/ADU
  PIXEL_SCALE      1.0            # size of pixel in arcsec (0=use FITS WCS info)
  SEEING_FWHM      1.2            # stellar FWHM in arcsec
  STARNNW_NAME     default.nnw    # Neural-Network_Weight table filename
  BACK_SIZE        64             # Background mesh: <size> or <width>,<height>
  BACK_FILTERSIZE  3              # Background filter: <size> or <width>,<height>
  BACKPHOTO_TYPE   GLOBAL         # can be GLOBAL or LOCAL
  CHECKIMAGE_TYPE  NONE           # can be NONE, BACKGROUND, BACKGROUND_RMS,
                                  # or APERTURES
  MEMORY_BUFSIZE   1024           # number of lines in buffer
  VERBOSE_TYPE     NORMAL         # can be QUIET, NORMAL or FULL
  HEADER_SUFFIX    .head          # Filename extension for additional headers
  XSL_URL          file:///usr/share/source-extractor/source-extractor.xsl
  """

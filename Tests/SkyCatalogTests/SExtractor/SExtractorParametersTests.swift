import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("SExtractor's list of columns")
struct SExtractorParametersTests {
  @Test("Columns are in the order of the list")
  func order() throws {
    let text = """
      # what is wanted
      NUMBER                   # running number
      #EXT_NUMBER

        X_IMAGE\t
      FLUX_APER(3)
      MAG_APER[2]#two
      VIGNET( 5, 7 )
      NUMBER
      """
    let columns = try SExtractorParameters(text: text, file: "a.param").columns
    #expect(
      columns.map(\.description) == [
        "NUMBER", "X_IMAGE", "FLUX_APER(3)", "MAG_APER(2)", "VIGNET(5,7)",
      ])
    #expect(columns.map(\.line) == [2, 5, 6, 7, 8])
    #expect(columns.map(\.sizes) == [[], [], [3], [2], [5, 7]])
  }

  /// `source-extractor` 2.25 reads these lines so.
  @Test("The rest of a line is a comment, also without #")
  func comments() throws {
    let text = """
      NUMBER Running object number
      X_IMAGE   (pixels) along x
      FLUX_APER{4} # fluxes
      MAG_PSF  Magnitude from fitting of the PSF [mag]
      FLAGS\textraction flags
      """
    let list = try SExtractorParameters(text: text, file: "a.param")
    #expect(list.names == ["NUMBER", "X_IMAGE", "FLUX_APER", "MAG_PSF", "FLAGS"])
    #expect(list.served == [.number, .x, .apertureFlux, .flags] && list.unserved == ["MAG_PSF"])
    #expect(list.apertureCount == 4)
    #expect(try SExtractorParameters(text: "FLUX_APER", file: "a.param").apertureCount == 1)
    #expect(try SExtractorParameters(text: "FLAGS", file: "a.param").apertureCount == nil)
    let several = try SExtractorParameters(
      text: "FLUX_APER(2)\nMAG_APER(4)\nFLUXERR_APER\nFLUX_RADIUS(3)\n", file: "a.param")
    #expect(several.served.map(\.size) == [2, 4, 1, 3])
    #expect(several.apertureColumn?.name == "MAG_APER" && several.apertureCount == 4)
    #expect(several.fractionCount == 3)
    var settings = DetectionSettings()
    settings.takeFluxFractions(3)
    #expect(settings.fluxFractions == [0.5, 0, 0])
  }

  /// `source-extractor` 2.25 takes a missing side for 1.
  @Test(
    "A stamp has the size of the list",
    arguments: [
      ("VIGNET(35,21)", 35, 21), ("VIGNET(35)", 35, 1), ("vignet", 1, 1), ("VIGNET[3, 4]", 3, 4),
    ])
  func stamps(text: String, width: Int, height: Int) throws {
    let columns = try SExtractorParameters(text: "NUMBER\n" + text, file: "a.param").served
    let stamp = DetectionSettings.Stamp(width: width, height: height)
    #expect(columns == [.number, .stamp] && columns[1].stamp == stamp)
    var settings = DetectionSettings()
    settings.measure(columns)
    #expect(settings.stamp == stamp && settings.measures(.stamp))
    settings.measure([.stamp])
    #expect(settings.stamp == stamp)
    settings.measure([.number])
    #expect(settings.stamp == nil && !settings.measures(.stamp))
  }

  @Test("A column of stamps is named with its size where names are listed")
  func namedStamp() throws {
    let size = DetectionSettings.Stamp(width: 35, height: 21)
    #expect(try SkyCatalog.Column(stamp: "vignet(35,21)")?.stamp == size)
    for text in ["VIGNET(35", "VIGNET(1,2,3)", "VIGNET(0,1)", "FLUX_APER(3)", "NUMBER", ""] {
      #expect(try SkyCatalog.Column(stamp: text) == nil)
    }
    #expect(throws: InvalidScan.self) { try SkyCatalog.Column(stamp: "VIGNET(600,600)") }
  }

  @Test("Columns of SExtractor's that do not exist here are named with their kind")
  func refused() throws {
    func list(_ names: String...) throws -> SExtractorParameters {
      try SExtractorParameters(text: names.joined(separator: "\n"), file: "a.param")
    }
    let some = try list(
      "NUMBER", "MAG_MODEL", "FLUX_HYBRID", "VIGNET_SHIFT(5,5)", "POLARWIN_IMAGE", "SPREAD_MODEL",
      "FOO_BAR", "MAG_GROWTH(3)", "DURATION_ANALYSIS")
    #expect(
      some.refused
        == "MAG_MODEL, FLUX_HYBRID, SPREAD_MODEL (models), POLARWIN_IMAGE (polarisation), "
        + "MAG_GROWTH (growth curves), DURATION_ANALYSIS (time), VIGNET_SHIFT")
    #expect(some.unknown == ["FOO_BAR"])
    #expect(some.unservedFault(file: "a.param")?.description.contains("skynet sex -dp") == true)
    #expect(try list("NUMBER", "FOO").refused == nil)
    for column in Column.allCases { #expect(try list(column.name).refused == nil) }
  }

  @Test(
    "A line that is not a column is a fault",
    arguments: [
      ("NUMBER\nX_IMAGE Y_IMAGE", "a.param:2: the line is no column; one name a line is"),
      ("NUMBER FLAGS", "a.param:1: the line is no column"),
      ("MAG_AUTO MAG_ISO", "a.param:1: the line is no column"),
      ("FLUX_APER three of them", "a.param:1: the line is no column"),
      ("FLUX_APER(3) three", "a.param:1: the line is no column"),
      ("FLUX_APER(2,2)", "a.param:1: the line is no column"),
      ("FLUX_APER(x)", "a.param:1: the line is no column"),
      ("FLUX_APER(3", "a.param:1: “FLUX_APER(3” is no column"),
      ("FLUX_APER(3]", "a.param:1: the line is no column"),
      ("FLUX_APER (3)", "a.param:1: the line is no column"),
      ("FLUX_APER()", "a.param:1: “FLUX_APER()” is no column"),
      ("FLUX_APER(0)", "a.param:1: “FLUX_APER(0)” is no column"),
      ("FLUX_APER(2,)", "a.param:1: the line is no column"),
      ("VIGNET(3,3,2)", "a.param:1: the line is no column"),
      ("VIGNET(0,3)", "a.param:1: the line is no column"),
      ("FLUX_APER(", "a.param:1: “FLUX_APER(” is no column"),
      ("(3)", "a.param:1: “(3)” is no column"),
      ("7UP", "a.param:1: “7UP” is no column"),
      ("# nothing\n", "a.param: there is no column in the list; name the columns that are wanted"),
    ])
  func faults(text: String, says: String) {
    let fault = #expect(throws: SExtractorFileError.self) {
      try SExtractorParameters(text: text, file: "a.param")
    }
    #expect(fault?.description.hasPrefix(says) == true, "\(fault?.description ?? "")")
  }
}

import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection
@testable import SkyFITS

/// The numbers are those of SExtractor 2.25 for a source of an SDSS frame, whose header has the frame's
/// own coordinates or others.
@Suite("Columns of the sky")
struct WorldColumnTests {
  private static let tangent = [
    "CTYPE1": "'RA---TAN'", "CTYPE2": "'DEC--TAN'", "CRPIX1": "210.0", "CRPIX2": "200.0",
    "CRVAL1": "150.0", "CRVAL2": "-2.5", "CD1_1": "-0.0002", "CD1_2": "3E-05", "CD2_1": "5E-05",
    "CD2_2": "0.0001", "EQUINOX": "2000.0",
  ]
  private static let frame = [
    "CTYPE1": "'RA---TAN'", "CTYPE2": "'DEC--TAN'", "CRPIX1": "1024.5", "CRPIX2": "744.5",
    "CRVAL1": "351.6495369", "CRVAL2": "0.10366058", "CD1_1": "1.9531218040668E-08",
    "CD1_2": "0.000109985048488936", "CD2_1": "0.000110004399414063",
    "CD2_2": "9.73790322581041E-09", "CUNIT1": "'deg'", "CUNIT2": "'deg'", "RADECSYS": "'ICRS'",
    "EQUINOX": "2000.0",
  ]
  private static let list = Column.allCases.filter {
    $0.isInSky(CatalogSettings())
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var source: Source {
    var source = Source(
      component: PixelPlace(row: 1, column: 2), part: 0, x: 619.4750833350257,
      y: 477.38815039928687, xx: 1.4933066749482737, yy: 1.5759290559929822,
      xy: -0.015772488459021794, flux: 1000, variance: 100,
      isophotal: IsophotalMeasures(peak: 271.4306640625, area: 32, isophotalArea: 27), xMin: 615,
      yMin: 473, xMax: 624, yMax: 482, flags: [], apertureFluxes: [])
    (source.isophotal.xPeak, source.isophotal.yPeak) = (619, 477)
    source.positionErrors = Source.PositionErrors(
      xx: 0.0008151211504502354, yy: 0.0008356931912861737, xy: -2.946473204005753e-06)
    source.window = Source.WindowMeasures(
      x: 619.4736699901139, y: 477.33581905981197, xx: 0.6726243706790047, yy: 0.7264936779594566,
      xy: -0.005543416014664636,
      errors: Source.PositionErrors(
        xx: 0.0008876636126698278, yy: 0.0009198500702338548, xy: -1.519467314931359e-06),
      flux: 800, variance: 90, iterations: 5, flags: [])
    return source
  }

  private func table(_ cards: [String: String], _ columns: [Column] = list) async throws
    -> CatalogTable
  {
    let unit = FITSUnit(
      bitpix: 8, axes: [3, 3], cards.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      data: [UInt8](repeating: 0, count: 9))
    let image = try await FITSImage.open(try folder.write("a.fits", unit.bytes))
    var context = CatalogContext(DetectionSettings())
    try await context.findPlaces(of: [source], in: image, for: columns)
    return CatalogTable([source], columns, context: context)
  }

  /// The numbers of SExtractor's formats.
  private func numbers(_ table: CatalogTable) -> [String: Double] {
    var (values, found) = ([Double](), [String: Double]())
    table.printed.forEachValue(0, &values) { found[$0.name] = $1 }
    return found
  }

  /// - Parameter tolerance: that of positions, in degrees. Angles have 0.005°, all other numbers five
  ///   millionths.
  private func expect(
    _ found: [String: Double], _ expected: [String: Double], tolerance: Double = 1e-7
  ) throws {
    for (name, expected) in expected {
      let number = try #require(found[name], "\(name)")
      let isPosition = Column(rawValue: name)?.isPlace == true
      let allowed =
        isPosition ? tolerance : name.contains("THETA") ? 0.005 : 5e-6 * abs(expected)
      #expect(abs(number - expected) <= allowed, "\(name) \(number) \(expected)")
    }
  }

  @Test("Places and ellipses in the sky are SExtractor's")
  func frame() async throws {
    let table = try await table(Self.frame)
    let found = numbers(table)
    #expect(found.count == Self.list.count && table.columns.count == Self.list.count)
    // SEXPXSCL.
    #expect(abs(table.pixelScale - 0.3959810015928) < 1e-5)
    try expect(
      found,
      [
        "X_WORLD": 351.62015067546747, "Y_WORLD": 0.05910345739379347,
        "XWIN_WORLD": 351.62014491977527, "YWIN_WORLD": 0.0591033014070998,
        "XPEAK_WORLD": 351.62010797549806, "YPEAK_WORLD": 0.059051192373005885,
        "ALPHA_SKY": 351.62015067546747, "DELTA_SKY": 0.05910345739379347,
        "ALPHA_J2000": 351.62015067546747, "DELTA_J2000": 0.05910345739379347,
        "ALPHA_B1950": 350.9793581257333, "DELTA_B1950": -0.21604729824340704,
        "ALPHAWIN_J2000": 351.62014491977527, "DELTAWIN_J2000": 0.0591033014070998,
        "ALPHAWIN_B1950": 350.97935236988127, "DELTAWIN_B1950": -0.2160474500006254,
        "ALPHAPEAK_J2000": 351.62010797549806, "DELTAPEAK_J2000": 0.059051192373005885,
        "ALPHAPEAK_B1950": 350.97931538702, "DELTAPEAK_B1950": -0.21609953195224868,
      ])
    try expect(
      found,
      [
        "X2_WORLD": 1.906350350528458e-08, "Y2_WORLD": 1.8070412726548606e-08,
        "XY_WORLD": -1.8593900903480104e-10, "CXX_WORLD": 0.018070413, "CYY_WORLD": 0.019063504,
        "CXY_WORLD": 0.00037187431, "A_WORLD": 0.00013819252, "B_WORLD": 0.00013430094,
        "THETA_WORLD": -10.26459, "THETA_SKY": -79.735413, "THETA_J2000": -79.735413,
        "ERRX2_WORLD": 1.0109121523344201e-11, "ERRY2_WORLD": 9.863737279878505e-12,
        "ERRXY_WORLD": -3.3006327136196994e-14, "ERRCXX_WORLD": 9.8637374e-06,
        "ERRCYY_WORLD": 1.0109122e-05, "ERRCXY_WORLD": 6.6011992e-08, "ERRA_WORLD": 3.1801703e-06,
        "ERRB_WORLD": 3.1399643e-06, "ERRTHETA_WORLD": -7.5285468, "ERRTHETA_SKY": -82.471451,
        "ISOAREA_WORLD": 3.2666824e-07, "ISOAREAF_WORLD": 3.8716234e-07, "MU_MAX": -8.0957766,
      ])
    try expect(
      found,
      [
        "X2WIN_WORLD": 8.788162469758663e-09, "Y2WIN_WORLD": 8.139388048159124e-09,
        "XYWIN_WORLD": -6.48484895613666e-11, "CXXWIN_WORLD": 0.0081393877,
        "CYYWIN_WORLD": 0.0087881628, "CXYWIN_WORLD": 0.00012969568, "AWIN_WORLD": 9.3779425e-05,
        "BWIN_WORLD": 9.0182977e-05, "THETAWIN_WORLD": -5.6525078, "THETAWIN_SKY": -84.347488,
        "ERRX2WIN_WORLD": 1.1127144884550153e-11, "ERRY2WIN_WORLD": 1.0741571541834736e-11,
        "ERRXYWIN_WORLD": -1.5495518929714503e-14, "ERRCXXWIN_WORLD": 1.0741572e-05,
        "ERRCYYWIN_WORLD": 1.1127145e-05, "ERRCXYWIN_WORLD": 3.0990726e-08,
        "ERRAWIN_WORLD": 3.3358308e-06, "ERRBWIN_WORLD": 3.2773389e-06,
        "ERRTHETAWIN_WORLD": -2.2976778, "ERRTHETAWIN_SKY": -87.702324,
        "ERRTHETAWIN_J2000": -87.702324, "THETA_B1950": -79.777,
      ])
  }

  @Test("Galactic coordinates are told as equatorial ones")
  func galactic() async throws {
    let cards = ["CTYPE1": "'GLON-TAN'", "CTYPE2": "'GLAT-TAN'"]
    let table = try await table(Self.tangent.merging(cards) { $1 })
    try expect(
      numbers(table),
      [
        "X_WORLD": 58.46487311728754, "Y_WORLD": 50.60527870673242,
        "ALPHA_J2000": 58.46487311728754, "DELTA_J2000": 50.60527870673242,
        "ALPHAWIN_B1950": 57.537594715002285, "DELTAWIN_B1950": 50.45782375675322,
        "X2_WORLD": 3.441808269708446e-08, "XY_WORLD": -2.2501088330168876e-08,
        "A_WORLD": 0.00025217843, "THETA_WORLD": -52.359787, "THETA_SKY": -37.640213,
        "ERRTHETAWIN_J2000": -37.425789,
      ])
    #expect(table.columns.contains { $0.column == .rightAscension })
  }

  /// SExtractor precesses, where FK4 is another frame too, and is 0.3″ off.
  @Test("Positions of 1950 are told in their own frame and in J2000")
  func fk4() async throws {
    let found = numbers(try await table(Self.tangent.merging(["EQUINOX": "1950.0"]) { $1 }))
    try expect(
      found,
      [
        "ALPHA_SKY": 149.92635928164378, "DELTA_SKY": -2.45178541955754,
        "XPEAK_WORLD": 149.92644272651566, "THETA_WORLD": -12.682987, "THETA_SKY": -77.317017,
        "X2_WORLD": 6.124385938780132e-08,
      ])
    try expect(
      found,
      [
        "ALPHA_J2000": 150.56067126124378, "DELTA_J2000": -2.6934804561186643,
        "ALPHA_B1950": 149.92627335780594, "DELTA_B1950": -2.451789078861758,
        "ALPHAWIN_J2000": 150.56066995943985, "DELTAWIN_J2000": -2.6934857567172235,
      ], tolerance: 2e-4)
    #expect(found["ALPHA_B1950"].map { abs($0 - 149.92635928164378) < 1e-7 } == true)
  }

  @Test(
    "Without a place in the sky, SExtractor's formats have zeros and pixels, and ours no columns")
  func noSky() async throws {
    let table = try await table([:], [.x] + Self.list)
    #expect(table.csv == "X_IMAGE\n619.4751\n" && table.pixelScale == 0)
    let found = numbers(table)
    try expect(
      found,
      [
        "X_WORLD": 618.4750833350257, "Y_WORLD": 476.38815039928687,
        "XWIN_WORLD": 618.4736699901139, "XPEAK_WORLD": 618, "X2_WORLD": 1.4933066749482737,
        "CXX_WORLD": 0.6697256, "CXY_WORLD": 0.01340573, "A_WORLD": 1.256518,
        "THETA_WORLD": -79.551643, "ERRCXX_WORLD": 835.69318, "ISOAREA_WORLD": 27,
        "MU_MAX": 11.697365,
      ])
    for (name, number) in found where name.contains("ALPHA") || name.contains("DELTA") {
      #expect(number == 0, "\(name)")
    }
    #expect(found["THETA_SKY"] == 0 && found["ERRTHETAWIN_B1950"] == 0)
  }

  @Test("A place outside of the sky is SExtractor's number for one, and empty in our formats")
  func outside() async throws {
    let cards = [
      "CTYPE1": "'RA---SIN'", "CTYPE2": "'DEC--SIN'", "CD1_1": "-1.0", "CD2_2": "1.0",
      "CD1_2": "0.0", "CD2_1": "0.0",
    ]
    let columns = ["ALPHA_J2000", "X_WORLD", "DELTAWIN_B1950", "X2_WORLD"].compactMap(
      Column.init(rawValue:))
    let table = try await table(Self.tangent.merging(cards) { $1 }, columns)
    #expect(
      numbers(table) == [
        "ALPHA_J2000": 1e31, "X_WORLD": 1e31, "DELTAWIN_B1950": 1e31, "X2_WORLD": 0,
      ])
    #expect(table.csv.hasSuffix("\n,,,\n"))
  }

  @Test("Only places that columns need are asked for")
  func needs() async throws {
    #expect(try await table(Self.tangent, [.x, .xPeak]).context.places.isEmpty)
    let context = try await table(
      Self.tangent, ["ALPHAWIN_J2000"].compactMap(Column.init(rawValue:))
    ).context
    #expect(context.isInSky && context.jacobians.isEmpty)
    #expect(Array(context.places.keys) == [.window] && context.places[.window]?.world == nil)
    var settings = DetectionSettings()
    settings.measure(["YWIN_WORLD"].compactMap(Column.init(rawValue:)))
    #expect(settings.measures.contains(.window))
    settings.measure(["YPEAK_WORLD", "A_WORLD"].compactMap(Column.init(rawValue:)))
    #expect(settings.measures == [])
  }

  @Test("A source without a window has no windowed place, and the others keep theirs")
  func noWindow() async throws {
    let unit = FITSUnit(
      bitpix: 8, axes: [3, 3], Self.tangent.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      data: [UInt8](repeating: 0, count: 9))
    let image = try await FITSImage.open(try folder.write("b.fits", unit.bytes))
    var (context, large) = (CatalogContext(DetectionSettings()), source)
    large.window = nil
    let columns = ["ALPHAWIN_J2000", "XWIN_WORLD"].compactMap(Column.init(rawValue:))
    try await context.findPlaces(of: [large, source], in: image, for: columns)
    let lines = CatalogTable([large, source], columns, context: context).csv.split(separator: "\n")
    #expect(lines.count == 3 && lines[1] == "," && lines[2].hasPrefix("149.9263580,149.92635"))
  }
}

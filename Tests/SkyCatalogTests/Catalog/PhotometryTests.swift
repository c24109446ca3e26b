import SkyFITS
import Testing

@testable import SkyCatalog
@testable import SkyDetection

/// The numbers are those of SExtractor 2.25 for a source of a synthetic image.
@Suite("Magnitudes and errors")
struct PhotometryTests {
  private var source: Source {
    var source = Source(
      component: PixelPlace(row: 1, column: 2), part: 0, x: 40, y: 50, xx: 3.09685111457944,
      yy: 3.6409241380676676, xy: 0.26868370113372464, flux: 1045.092041015625,
      variance: 33.046478271484375 * 33.046478271484375,
      isophotal: IsophotalMeasures(peak: 45.54930114746094, area: 63, isophotalArea: 60),
      xMin: 35, yMin: 45, xMax: 45, yMax: 55, flags: [], apertureFluxes: [])
    source.thresholds = Source.SourceThresholds(detection: 4.510004043579102, analysis: 4.51)
    source.positionErrors = Source.PositionErrors(
      xx: 0.003995486952775649, yy: 0.004985239800504849, xy: 0.00037648519700031826)
    return source
  }

  /// The numbers of a row of columns, before a text rounds them.
  private func numbers(
    _ names: [String], of source: Source, _ settings: DetectionSettings = DetectionSettings(),
    _ catalog: CatalogSettings = CatalogSettings()
  ) throws -> [Double?] {
    let columns = try names.map { try #require(Column(rawValue: $0)) }
    let table = CatalogTable(
      [source], columns, context: CatalogContext(settings, catalog))
    var row = table.row(0)
    return table.columns.map {
      row.index = $0.index
      return $0.column.numbers.number(row)
    }
  }

  private func expect(
    _ names: [String], _ expected: [Double], of source: Source,
    _ catalog: CatalogSettings = CatalogSettings()
  ) throws {
    let found = try numbers(names, of: source, DetectionSettings(), catalog)
    for (name, (found, expected)) in zip(names, zip(found, expected)) {
      let found = try #require(found, "\(name)")
      #expect(abs(found - expected) <= 2e-6 * abs(expected), "\(name) \(found)")
    }
  }

  @Test("Isophotal and corrected magnitudes and errors are SExtractor's")
  func isophotal() throws {
    try expect(
      [
        "FLUXERR_ISO", "MAG_ISO", "MAGERR_ISO", "FLUX_ISOCOR", "FLUXERR_ISOCOR", "MAG_ISOCOR",
        "MAGERR_ISOCOR", "THRESHOLD",
      ],
      [
        33.046478271484375, -7.547886371612549, 0.034340012818574905, 1172.72998046875,
        39.8739128112793, -7.672995090484619, 0.03692501410841942, 4.510004043579102,
      ], of: source)
    try expect(["MAG_ISO"], [25 - 7.547886371612549], of: source, CatalogSettings(zeroPoint: 25))
  }

  @Test("Ellipses are SExtractor's")
  func ellipses() throws {
    try expect(
      [
        "X2_IMAGE", "Y2_IMAGE", "XY_IMAGE", "CXX_IMAGE", "CYY_IMAGE", "CXY_IMAGE", "ERRX2_IMAGE",
        "ERRA_IMAGE", "ERRB_IMAGE", "ERRTHETA_IMAGE", "ERRCXX_IMAGE", "ERRCYY_IMAGE",
        "ERRCXY_IMAGE",
      ],
      [
        3.09685111457944, 3.6409241380676676, 0.26868370113372464, 0.3249894082546234,
        0.2764253616333008, -0.04796548932790756, 0.003995486952775649, 0.07149944454431534,
        0.0621977224946022, 71.3686752319336, 252.076171875, 202.02981567382812,
        -38.07357406616211,
      ], of: source)
  }

  @Test("The best flux is Kron's, and where crowded the corrected isophotal one")
  func best() throws {
    var source = source
    #expect(try numbers(["FLUX_BEST"], of: source) == [nil])
    source.kron = Source.EllipseFlux(radius: 3.5, flux: 1200, variance: 900)
    try expect(
      ["FLUX_BEST", "FLUXERR_BEST", "FLUXERR_AUTO", "MAGERR_AUTO"],
      [1200, 30, 30, 1.086 * 30 / 1200], of: source)
    source.flags = .biased
    try expect(["FLUX_BEST", "FLUXERR_BEST"], [1172.72998046875, 39.8739128112793], of: source)
  }

  @Test("A flux that is not positive has no magnitude, and its correction changes nothing")
  func negative() throws {
    var source = source
    source.flux = -5
    let names = ["MAG_ISO", "MAGERR_ISO", "FLUX_ISOCOR", "MAG_ISOCOR", "MAGERR_ISOCOR"]
    #expect(try numbers(names, of: source) == [nil, nil, -5, nil, nil])
    try expect(["FLUXERR_ISOCOR"], [33.046478271484375], of: source)
    #expect(try #require(Column(rawValue: "MAG_ISO")).absent == 99)
  }

  @Test("Each column of fluxes in circles has a size of its own; a circle that is not there has 0")
  func circles() throws {
    var settings = DetectionSettings()
    settings.apertures = [5, 8, 0]
    var source = source
    (source.apertureFluxes, source.apertureVariances) = ([100, -1, 0], [4, 9, 0])
    var columns = try ["FLUX_APER", "FLUXERR_APER", "MAG_APER", "MAGERR_APER"].map {
      try #require(Column(rawValue: $0))
    }
    for (index, size) in [3, 2, 3, 1].enumerated() { columns[index].size = size }
    let table = CatalogTable(
      [source], columns, context: CatalogContext(settings, CatalogSettings(zeroPoint: 20)))
    #expect(
      table.csv == """
        FLUX_APER,FLUX_APER_1,FLUX_APER_2,FLUXERR_APER,FLUXERR_APER_1,MAG_APER,MAG_APER_1,MAG_APER_2,\
        MAGERR_APER
        100.0,-1.0,0.0,2.0,3.0,15.0000,,0.0000,0.0217

        """)
  }

  @Test("SExtractor's formats have its numbers for no value, its types, and vectors as one field")
  func printed() throws {
    var settings = DetectionSettings()
    settings.apertures = [5, 8]
    var source = source
    (source.flux, source.apertureFluxes) = (-5, [100, -1])
    let columns = try ["X_IMAGE", "MAG_APER", "MAG_ISO", "FLUX_AUTO", "FLAGS_WIN", "FLAGS"].map {
      try #require(Column(rawValue: $0))
    }
    let table = CatalogTable([source], columns, context: CatalogContext(settings)).printed
    #expect(table.rowCount == 1)
    #expect(table.fields.map(\.name) == columns.map(\.name))
    #expect(table.fields.map { $0.type.rawValue } == ["E", "E", "E", "E", "I", "I"])
    #expect(table.fields.map(\.count) == [1, 2, 1, 1, 1, 1])
    #expect(table.fields.map { $0.format.display }.prefix(4) == ["F11.4", "F8.4", "F8.4", "G12.7"])
    var (values, found) = ([Double](), [Double]())
    table.forEachValue(0, &values) { found.append($1) }
    #expect(found == [40, -5, 99, 99, 0, 4, 0])
  }

  @Test("Surface brightness takes the scale of the settings, or that of the sky")
  func surfaceBrightness() throws {
    let names = ["MU_MAX", "MU_THRESHOLD", "ISOAREAF_WORLD"]
    // The columns are left out if neither tells it.
    #expect(try numbers(names, of: source) == [])
    let expected = [-2.5 * 1.05642, 0, 63 * 4 / 3600.0 / 3600]
    let found = try numbers(
      names, of: source, DetectionSettings(), CatalogSettings(pixelScale: 2))
    #expect(abs(try #require(found[0]) - expected[0]) < 0.001)
    #expect(abs(try #require(found[2]) / expected[2] - 1) < 1e-12)
    var context = CatalogContext(DetectionSettings())
    context.isInSky = true
    context.jacobians = [Jacobian(xx: 0.0006, xy: 0, yx: 0, yy: 0.002)]
    let table = CatalogTable([source], [.areaInSky], context: context)
    let area = try #require(Column.areaInSky.numbers.number(table.row(0)))
    #expect(abs(area / (63 * 0.0006 * 0.002) - 1) < 1e-9)
  }

  @Test("Every column has a name, a description that fits, and asks for what it shows")
  func columns() {
    var settings = DetectionSettings()
    settings.measure(Column.allCases)
    #expect(Column.allCases.allSatisfy(settings.measures))
    #expect(settings.fluxFractions == [0.5] && settings.petrosian != nil)
    settings.measure([.isophotalFlux])
    #expect(settings.measures == [] && settings.kron == nil && settings.fluxFractions == [])
    settings.measure([.windowX])
    #expect(settings.measures == [.window, .positionErrors] && settings.kron != nil)
    let names = Column.allCases.map(\.name)
    #expect(Set(names).count == names.count)
    for column in Column.allCases {
      // SExtractor's ASCII_HEAD has room for 58; two of our first columns are cut there.
      let room = [.flags, .x].contains(column) ? 68 : 58
      #expect(column.description.count <= room, "\(column.name)")
    }
  }
}

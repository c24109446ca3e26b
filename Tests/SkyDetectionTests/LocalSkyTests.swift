import SkyNetCore
import Testing

@testable import SkyDetection

/// Fluxes over the sky around each source (BACKPHOTO_TYPE LOCAL).
@Suite("The sky around a source")
struct LocalSkyTests {
  private static let (width, height) = (140, 128)

  /// Seven stars in a glow that no mesh follows. Each of the frames around them has others.
  private static let pixels: [Float] = (0..<width * height).map { index in
    let (x, y) = (index % width, index / width)
    func star(_ height: Double, _ column: Double, _ row: Double, _ a: Double, _ b: Double) -> Double
    {
      let (dx, dy) = (Double(x) - column, Double(y) - row)
      let square = 1 + dx * dx / a + dy * dy / b
      return height / (square * square)
    }
    let ripple = Double((x * 37 + y * 101 + x * y * 7 + (x * x) % 29 * 5) % 41 - 20) * 0.25
    var value = 100 + ripple + star(15, 70, 60, 900, 700)
    value += star(900, 40.3, 44.6, 6, 5)
    value += star(500, 75.2, 52.1, 5, 7)
    value += star(300, 96.7, 80.4, 4, 4)
    value += star(700, 60.5, 92.2, 5, 5)
    value += star(250, 84.4, 71.3, 4, 3)
    value += star(400, 8.7, 110.4, 5, 4)
    value += star(350, 52.4, 62.7, 3, 3)
    return Float(value)
  }

  private static var settings: DetectionSettings {
    var settings = DetectionSettings()
    settings.threshold = 5
    settings.gain = 2
    settings.apertures = [7]
    settings.kron = .init()
    settings.fluxFractions = [0.5]
    settings.measures = [.fluxErrors, .profile, .window]
    settings.localThickness = 12
    return settings
  }

  private func sources(
    _ change: (inout DetectionSettings) -> Void = { _ in }
  ) throws -> (found: [Source], background: Background) {
    var settings = Self.settings
    change(&settings)
    let detector = SourceDetector(settings)
    let (pixels, width, height) = (Self.pixels, Self.width, Self.height)
    return (
      try detector.sources(in: pixels, width: width, height: height),
      try detector.background(of: pixels, width: width, height: height)
    )
  }

  /// What SExtractor 2.25 measures of a star with `-BACKPHOTO_TYPE LOCAL -BACKPHOTO_THICK 12`.
  struct Expected: Sendable {
    var x: Double
    var y: Double
    /// BACKGROUND, and how much higher it is than without a local background.
    var background: Double
    var level: Double
    /// FLUX_ISO, FLUXERR_ISO, FLUX_MAX.
    var isophotal: [Double]
    /// FLUX_APER, FLUXERR_APER.
    var aperture: [Double]
    /// KRON_RADIUS, FLUX_AUTO, FLUXERR_AUTO.
    var kron: [Double]
    /// ISO0 … ISO7.
    var areas: [Int32]
    /// FLUX_RADIUS, FWHM_IMAGE, XWIN_IMAGE, FLUX_WIN, FLUXERR_WIN.
    var profile: [Double]
  }

  private static let expected = [
    Expected(
      x: 41.3247, y: 45.6266, background: 103.387032, level: 1.6681,
      isophotal: [13372.2139, 90.4977493, 824.366455], aperture: [10600.002, 76.247406],
      kron: [3.83025026, 14051.4072, 97.4041672], areas: [111, 86, 60, 45, 31, 19, 13, 5],
      profile: [2.15826917, 3.30849266, 41.3013657, 6890.44678, 50.6999397]),
    Expected(
      x: 76.0545, y: 53.2895, background: 107.366249, level: 5.6813,
      isophotal: [8700.76953, 77.8911972, 490.679962], aperture: [6384.54248, 60.8457947],
      kron: [5.66837835, 10660.9189, 111.340401], areas: [129, 112, 73, 48, 33, 20, 12, 6],
      profile: [2.71514297, 3.58805156, 76.1744306, 5151.80811, 45.7068977]),
    Expected(
      x: 53.4358, y: 63.6489, background: 107.932648, level: 6.2146,
      isophotal: [2825.50122, 45.732132, 296.283386], aperture: [2663.40381, 42.9453468],
      kron: [5.79091978, 3262.24634, 70.5072937], areas: [51, 45, 32, 21, 15, 10, 5, 4],
      profile: [1.72989178, 2.40681887, 53.4029802, 1655.79407, 25.9925499]),
    Expected(
      x: 85.3217, y: 72.2469, background: 106.745857, level: 5.0995,
      isophotal: [2221.83398, 41.1878891, 214.963211], aperture: [2144.73901, 39.8116837],
      kron: [5.99742746, 2791.75513, 68.5281754], areas: [44, 37, 27, 19, 14, 10, 5, 4],
      profile: [1.87593603, 2.68822527, 85.3721506, 1393.32788, 24.4549007]),
    Expected(
      x: 97.7000, y: 81.3382, background: 102.494545, level: 0.92473,
      isophotal: [2875.05469, 44.9783554, 261.71933], aperture: [2782.4021, 43.589859],
      kron: [4.59142637, 3446.22559, 59.9954605], areas: [36, 30, 28, 18, 13, 11, 6, 4],
      profile: [1.86857343, 2.77592969, 97.6854594, 1695.71094, 26.5677414]),
    Expected(
      x: 61.5228, y: 93.2005, background: 103.452286, level: 1.7532,
      isophotal: [9162.5918, 75.6685638, 628.590942], aperture: [7693.90576, 66.0188522],
      kron: [3.86771584, 9769.40137, 83.5898895], areas: [83, 65, 51, 36, 28, 17, 10, 4],
      profile: [2.02957511, 3.06778479, 61.5024853, 4818.63916, 42.6447411]),
    // The frame of the last one extends beyond the image.
    Expected(
      x: 9.6549, y: 111.4128, background: 101.943298, level: 0,
      isophotal: [4386.82617, 53.8396225, 360.204956], aperture: [4060.69336, 50.4329224],
      kron: [3.53772807, 4781.69775, 60.2365036], areas: [48, 39, 31, 25, 17, 12, 7, 4],
      profile: [1.87465727, 2.94910169, 9.69875257, 2392.38745, 30.7147045]),
  ]

  @Test("It is SExtractor's, and lowers what it lowers there")
  func likeSExtractor() throws {
    let (found, background) = try sources()
    #expect(found.count == Self.expected.count)
    for expected in Self.expected {
      let source = try #require(
        found.first { abs($0.x - expected.x) < 0.01 && abs($0.y - expected.y) < 0.01 })
      let level = try #require(source.localBackground)
      // Between the meshes' centres the level of the background is not quite SExtractor's; see docs/survey.md.
      #expect(abs(level - expected.level) < 0.002, "\(level), not \(expected.level)")
      let all = background.level(nearX: source.x, y: source.y) + level
      #expect(abs(all - expected.background) < 0.002)
      let kron = try #require(source.kron)
      let window = try #require(source.window)
      let profile = try #require(source.profile)
      let measured =
        [source.flux, source.variance.squareRoot(), Double(source.peak)]
        + [source.apertureFluxes[0], source.apertureVariances[0].squareRoot()]
        + [kron.radius, kron.flux, try #require(kron.variance).squareRoot()]
        + [source.fluxRadii[0], profile.fwhm]
        + [window.x, window.flux, window.variance.squareRoot()]
      let numbers = expected.isophotal + expected.aperture + expected.kron + expected.profile
      for (number, other) in zip(measured, numbers) {
        #expect(abs(number - other) <= 3e-4 * other, "\(number), not \(other), at \(source.x)")
      }
      #expect(profile.areas == expected.areas)
    }
  }

  /// FLUX_ISO, BACKGROUND, THRESHOLD and FLUX_APER of one star by SExtractor 2.25.
  @Test(
    "Meshes of two sides, their filter and a given background are SExtractor's",
    arguments: [
      (
        DetectionSettings.MeshSize(width: 40, height: 32), DetectionSettings.MeshFilter(), nil,
        [2542.44971, 101.429825, 15.3603191, 2344.17554]
      ),
      (
        DetectionSettings.MeshSize(width: 40, height: 32),
        DetectionSettings.MeshFilter(width: 5, height: 1), nil,
        [2439.16943, 102.501625, 15.4382238, 2291.76782]
      ),
      (
        DetectionSettings.MeshSize(width: 40, height: 32),
        DetectionSettings.MeshFilter(threshold: 1), nil,
        [2545.08521, 101.429825, 15.4214964, 2346.20337]
      ),
      (
        64, DetectionSettings.MeshFilter(), 101.5, [2457.58032, 101.646317, 18.2396488, 2350.26831]
      ),
    ] as [(DetectionSettings.MeshSize, DetectionSettings.MeshFilter, Double?, [Double])])
  func meshes(
    mesh: DetectionSettings.MeshSize, filter: DetectionSettings.MeshFilter, level: Double?,
    expected: [Double]
  ) throws {
    let (found, background) = try sources {
      $0.mesh = mesh
      $0.meshFilter = filter
      $0.backgroundLevel = level
      $0.localThickness = nil
      $0.measures = .thresholds
    }
    #expect(found.count == 7)
    let source = try #require(found.first { abs($0.x - 85.35) < 0.1 && abs($0.y - 72.2) < 0.1 })
    let measured = [
      source.flux, background.level(nearX: source.x, y: source.y),
      Double(try #require(source.thresholds).detection), source.apertureFluxes[0],
    ]
    // Between the meshes' centres the level is not quite SExtractor's, which moves the fluxes.
    for (number, (other, most)) in zip(measured, zip(expected, [2e-3, 1e-5, 1e-5, 2e-3])) {
      #expect(abs(number - other) <= most * other, "\(number), not \(other)")
    }
  }

  @Test("Without it, the measures are over the background")
  func global() throws {
    let local = try sources().found
    let global = try sources { $0.localThickness = nil }.found
    for (local, global) in zip(local, global) {
      let level = try #require(local.localBackground)
      #expect(global.localBackground == nil)
      #expect(local.isophotal.area == global.isophotal.area && local.xx == global.xx)
      let flux = global.flux - level * Double(global.isophotal.area)
      #expect(abs(local.flux - flux) < 1e-6)
    }
  }

  /// The absorbed light is what the catalogue would have had of the absorbed source.
  @Test("Cleaning neither measures it again, nor changes it")
  func cleaning() throws {
    let all = try sources { $0.threshold = 2 }.found
    let cleaned = try sources {
      $0.threshold = 2
      $0.cleaning = 1
    }.found
    #expect(cleaned.count < all.count)
    let levels = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0.localBackground) })
    for source in cleaned { #expect(levels[source.id] == source.localBackground) }
    let (before, after) = (all.map(\.flux).reduce(0, +), cleaned.map(\.flux).reduce(0, +))
    #expect(abs(before - after) < 1e-6 * before)
  }

  /// The pixels that are left out are those before a place, row by row.
  @Test(
    "The pixels over the threshold behind a component's last one count, and those before do not",
    arguments: [
      (SmoothingKernel.usual, PixelPlace(row: 41, column: 0)),
      (.none, PixelPlace(row: 42, column: 41)),
    ])
  func erased(kernel: SmoothingKernel, end: PixelPlace) throws {
    let side = 80
    var random = SplitMix64(seed: 4)
    let values = (0..<side * side).map { index in
      Float(index % 9 == index / side % 7 ? 100 : 5 * random.nextNormal())
    }
    let patch = PixelRectangle(x: 0, y: 0, width: side, height: side)
    let grid = SectorGrid(uncutWidth: side, height: side)
    let valid = ValidArea(of: patch, in: grid, reach: 1)
    var finder = RunFinder(
      Plane(width: side, height: side, values: values), threshold: 50, kernel: .none)
    try finder.find()
    var meter = LocalSkyMeter(
      thickness: 8, kernel: kernel, erases: true,
      field: MeterField(patch: patch, validArea: valid, grid: grid))
    // The frame's inner rectangle is a quarter of the box wider on each side.
    let box = PixelBox(columns: 38..<42, rows: 38..<42)
    let (inner, outer) = (37..<43, 29..<51)
    let counted = outer.flatMap { row in
      outer.filter { column in
        let isErased =
          values[row * side + column] > 50 && PixelPlace(row: row, column: column) < end
        return !(inner.contains(row) && inner.contains(column)) && !isErased
      }.map { values[row * side + $0] }
    }
    var estimator = SkyEstimator()
    let level = estimator.level(of: counted)
    let expected = try #require(level)
    func measure(_ last: PixelPlace) -> [Double]? {
      meter.measure(around: [box], last: last, finder).measures
    }
    #expect(measure(PixelPlace(row: 41, column: 40)) == [expected])
    #expect(measure(PixelPlace(row: 60, column: 40)) != [expected])
  }

  @Test("A patch that lacks pixels of the frame names it")
  func tooLittle() throws {
    let patch = PixelRectangle(x: 100, y: 100, width: 60, height: 60)
    let grid = SectorGrid(uncutWidth: 400, height: 400)
    let valid = ValidArea(of: patch, in: grid, reach: 1)
    let field = MeterField(patch: patch, validArea: valid, grid: grid)
    var finder = RunFinder(
      Plane(width: 60, height: 60, values: [Float](repeating: 3, count: 3600)), threshold: 50)
    try finder.find()
    let box = PixelBox(columns: 126..<134, rows: 126..<134)
    var near = LocalSkyMeter(thickness: 12, kernel: .usual, erases: true, field: field)
    #expect(
      near.measure(around: [box], last: PixelPlace(row: 133, column: 130), finder).measures == [3])
    var far = LocalSkyMeter(thickness: 30, kernel: .usual, erases: true, field: field)
    guard
      case .needs(let needed) = far.measure(
        around: [box], last: PixelPlace(row: 133, column: 130), finder)
    else {
      return #expect(Bool(false))
    }
    #expect(needed == PixelBox(columns: 94..<166, rows: 94..<166))
    var settings = DetectionSettings()
    settings.localThickness = 30
    let room = box.grown(by: settings.room(around: box))
    #expect(room.union(needed.grown(by: settings.reach + 2)) == room)
  }
}

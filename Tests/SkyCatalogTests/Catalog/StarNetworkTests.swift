import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("The network that tells stars from galaxies")
struct StarNetworkTests {
  /// The text of a network file with numbers that follow a rule.
  private static let text: String = {
    func line(_ count: Int, _ number: (Int) -> Double) -> String {
      (0..<count).map { "\(number($0))" }.joined(separator: " ") + "\n"
    }
    return "NNW\n# made\n 3 10 10  1\n\n" + line(10) { Double($0 % 5 - 2) / 4 }
      + line(10) { 1 + Double($0) / 8 }
      + (0..<10).map { row in line(11) { Double((7 * row + 5 * $0) % 11 - 5) / 8 } }.joined()
      + line(11) { Double(3 * $0 % 7 - 3) / 2 } + " 0.125\n 0.5\n"
  }()

  private func source(_ areas: [Int32], peak: Float) -> Source {
    var source = Source(
      component: PixelPlace(row: 1, column: 2), part: 0, x: 40, y: 50, xx: 3, yy: 3, xy: 0,
      flux: 1, variance: 1, isophotal: IsophotalMeasures(peak: peak, area: 63, isophotalArea: 60),
      xMin: 35, yMin: 45, xMax: 45, yMax: 55, flags: [], apertureFluxes: [])
    source.profile = Source.Profile(areas: areas, fwhm: 2)
    return source
  }

  /// An image whose analysis threshold is a number.
  private func context(_ catalog: CatalogSettings, threshold: Double) -> CatalogContext {
    var settings = DetectionSettings()
    (settings.analysisThreshold, settings.isAnalysisThresholdAbsolute) = (threshold, true)
    var meshes = MeshEstimates(columns: 1, rows: 1)
    meshes.values = [MeshSky(level: 0, noise: 2)]
    return CatalogContext(settings, catalog, background: Background(meshes, settings))
  }

  private func answer(
    to source: Source, seeing: Double = 1.3, pixelScale: Double = 0.396, threshold: Double = 8
  ) throws -> Double? {
    var catalog = CatalogSettings(pixelScale: pixelScale, seeing: seeing)
    catalog.network = try StarNetwork(networkFile: Self.text)
    let context = context(catalog, threshold: threshold)
    return Column.starClass.numbers.number(
      CatalogTable([source], [.starClass], context: context).row(0))
  }

  /// SExtractor 2.25 with the same network and a seeing of 1.3 arcseconds, on a frame of the Sloan survey.
  @Test(
    "The class is SExtractor's",
    arguments: [
      ([3253, 1952, 1011, 510, 291, 172, 86, 14], Float(20026.46875), -0.03597567230463028),
      ([53, 44, 33, 23, 15, 12, 7, 3], 55.1689453125, 0.41431525349617004),
      ([8, 8, 8, 7, 6, 6, 5, 1], 26.3399658203125, 0.578952968120575),
      ([4, 4, 1, 1, 1, 1, 1, 1], 25.718505859375, 0.8545709252357483),
      ([30, 24, 22, 13, 8, 5, 5, 1], 32.9195556640625, 0.5625238418579102),
    ] as [([Int32], Float, Double)])
  func sloan(areas: [Int32], peak: Float, expected: Double) throws {
    let found = try #require(
      try answer(to: source(areas, peak: peak), threshold: 8.393026351928711))
    #expect(abs(found - expected) < 2e-6)
  }

  @Test("Numbers without a logarithm have SExtractor's in their place")
  func noLogarithms() throws {
    func inputs(_ peak: Float, _ threshold: Double) throws -> [Double] {
      let catalog = CatalogSettings(pixelScale: 1, seeing: 10)
      let source = source([0, 100, 1, 1, 1, 1, 1, 0], peak: peak)
      let table = CatalogTable(
        [source], [.starClass], context: context(catalog, threshold: threshold))
      return try #require(table.row(0).starInputs)
    }
    #expect(try inputs(-1, 5) == [-2, -1, 0, -2, -2, -2, -2, -2, -2, 1])
    #expect(try inputs(10, 0)[1] == -1 && inputs(50, 5)[1] == 1)
  }

  @Test("What is not known of a source or of the image leaves the class open")
  func open() throws {
    var source = source([8, 8, 8, 7, 6, 6, 5, 1], peak: 26)
    #expect(try answer(to: source, pixelScale: 0) == nil)
    #expect(try answer(to: source, seeing: 0) == nil)
    source.profile = nil
    #expect(try answer(to: source) == nil)
  }

  @Test(
    "A file that is no network is refused",
    arguments: [
      ("", "its first line is no NNW"), ("CONV NORM\n", "its first line is no NNW"),
      ("NNW\n", "numbers of neurons"), ("NNW\n3 9 10 1\n", "numbers of neurons"),
      ("NNW\n3 10 1e9 1\n", "numbers of neurons"), ("NNW\n3 10 0.5 1\n", "numbers of neurons"),
      ("NNW\n3 10 10 1\n1 2 3\n", "it has 7 numbers, and one of 10 neurons has 147"),
      ("NNW\n# 1\n3 10 ten 1\n", "line 3 has something else where a number"),
    ])
  func faults(text: String, fault: String) {
    let found = #expect(throws: InvalidScan.self) { try StarNetwork(networkFile: text) }
    #expect(found?.description.contains(fault) == true, "\(found?.description ?? "")")
  }

  @Test("A network that divides by 0 is refused, and others are told apart")
  func outputs() throws {
    let text = Self.text
    #expect(throws: InvalidScan.self) {
      try StarNetwork(networkFile: text.replacing(" 0.5\n", with: " 0\n"))
    }
    let other = try StarNetwork(networkFile: text.replacing(" 0.125\n", with: " 0.25\n"))
    #expect(try StarNetwork(networkFile: text).fingerprint != other.fingerprint)
  }

  // MARK: The file

  private func read(_ text: String, columns: [Column]? = nil) throws -> SExtractorFiles {
    let folder = try TemporaryFolder()
    _ = try folder.write("own.nnw", Array(Self.text.utf8))
    _ = try folder.write("bad.nnw", Array("NNW\n".utf8))
    _ = try folder.write("c.param", Array("NUMBER\nCLASS_STAR\n".utf8))
    _ = try folder.write("n.param", Array("NUMBER\n".utf8))
    let path = try folder.write("a.sex", Array(text.utf8))
    return try SExtractorFiles(configuration: path, for: .engage, columns: columns)
  }

  @Test("The network is read if a column needs it, and only then")
  func read() throws {
    let own = "STARNNW_NAME own.nnw\nPARAMETERS_NAME "
    #expect(try read(own + "c.param").network == StarNetwork(networkFile: Self.text))
    #expect(try read(own + "c.param").opened.count == 3)
    #expect(try read(own + "n.param").network == nil)
    #expect(try read(own + "n.param", columns: [.starClass]).network != nil)
    #expect(try read(own + "c.param", columns: [.number]).network == nil)
    #expect(try read("STARNNW_NAME none.nnw\nPARAMETERS_NAME n.param").network == nil)
  }

  @Test("An error names the missing or faulty network, and what to do")
  func fileFaults() throws {
    func fault(_ text: String) throws -> String {
      let error = #expect(throws: SExtractorFileError.self) {
        try read("PARAMETERS_NAME c.param\n" + text)
      }
      return error?.description ?? ""
    }
    let next = "; name a network (.nnw) with STARNNW_NAME, or leave CLASS_STAR out"
    #expect(
      try fault("STARNNW_NAME none.nnw")
        == "none.nnw: there is no such file, and CLASS_STAR needs it" + next)
    #expect(try fault("").hasPrefix("default.nnw: there is no such file, and CLASS_STAR needs it"))
    let bad = try fault("STARNNW_NAME bad.nnw")
    #expect(bad.contains("bad.nnw: it does not begin") && bad.hasSuffix(next))
    #expect(try fault("SEEING_FWHM 0").contains("SEEING_FWHM is 0"))
    #expect(throws: InvalidScan.self) { try CatalogSettings().check([.number, .starClass]) }
    try CatalogSettings().check([.number])
  }
}

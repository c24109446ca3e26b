import Foundation
import SkyFITS
import SkyTestSupport
import Testing

@testable import SkyCatalog
@testable import SkyDetection

@Suite("SExtractor's files")
struct SExtractorFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ name: String, _ text: String) throws -> String {
    try folder.write(name, Array(text.utf8))
  }

  /// The error when a configuration with this text is read.
  private func fault(_ text: String) throws -> String {
    let path = try write("a.sex", text)
    let fault = #expect(throws: SExtractorFileError.self) {
      try SExtractorFiles(configuration: path)
    }
    return fault?.description ?? ""
  }

  @Test("Files beside the configuration are read")
  func besideConfiguration() throws {
    _ = try write("k.conv", "CONV NORM\n1 2 1\n2 4 2\n1 2 1\n")
    _ = try write("c.param", "NUMBER\nX_IMAGE\n")
    _ = try write("w.fits", "")
    let path = try write(
      "a.sex",
      """
      FILTER_NAME k.conv
      PARAMETERS_NAME \(folder.file("c.param"))
      WEIGHT_TYPE MAP_WEIGHT
      WEIGHT_IMAGE w.fits
      """)
    let files = try SExtractorFiles(configuration: path)
    #expect(files.kernel == .usual)
    #expect(files.parameters?.names == ["NUMBER", "X_IMAGE"])
    #expect(files.weightPath == folder.file("w.fits"))
    #expect(files.configuration.kernelPath == "k.conv")
  }

  @Test("Environment variables are put into paths, and errors do not show their values")
  func variables() throws {
    setenv("SKYNET_TEST_FOLDER", folder.path, 1)
    defer { unsetenv("SKYNET_TEST_FOLDER") }
    _ = try write("c.param", "NUMBER\n")
    let path = try write(
      "a.sex", "PARAMETERS_NAME ${SKYNET_TEST_FOLDER}/c.param\nHEADER_SUFFIX .ahead\n")
    let files = try SExtractorFiles(configuration: path)
    #expect(files.parameters?.names == ["NUMBER"])
    #expect(files.columnsPath == folder.file("c.param") && files.headerSuffix == ".ahead")
    #expect(
      try fault("FILTER_NAME $SKYNET_TEST_FOLDER/none.conv")
        .hasPrefix("$SKYNET_TEST_FOLDER/none.conv: there is no such file"))
    #expect(try SExtractorFiles(configuration: write("b.sex", "")).headerSuffix == ".head")
  }

  @Test("Faults of the configuration, of its kernel and of its columns come together")
  func allFaults() throws {
    _ = try write("bad.conv", "CONV NORM\n1 2\n")
    _ = try write("c.param", "NUMBER\nMAG_PSF\nVECTOR_ASSOC(3)\n")
    let path = try write(
      "a.sex", "DETECT_TYPE PHOTO\nFILTER_NAME bad.conv\nPARAMETERS_NAME c.param\n")
    let fault = #expect(throws: SExtractorFileError.self) {
      try SExtractorFiles(configuration: path, for: .sex([]))
    }
    let said = try #require(fault).description
    for part in [
      "DETECT_TYPE PHOTO has no counterpart", "a smoothing kernel of 2 × 1",
      "there is no MAG_PSF (models), VECTOR_ASSOC (associations) here",
    ] { #expect(said.contains(part), "\(said)") }
    // A fault of its path is one, and not also that there is no list.
    let unset = #expect(throws: SExtractorFileError.self) {
      try SExtractorFiles(
        configuration: write("b.sex", "PARAMETERS_NAME $SKYNET_NO_SUCH\n"), for: .sex([]))
    }
    #expect(unset?.others.isEmpty == true)
  }

  @Test("Without a filter, the kernel leaves every value unchanged")
  func noFilter() throws {
    let path = try write("a.sex", "FILTER N\nFILTER_NAME nowhere.conv\n")
    #expect(try SExtractorFiles(configuration: path).kernel == SmoothingKernel.none)
    let empty = try write("b.sex", "# Ren\u{e9}\n")
    let files = try SExtractorFiles(configuration: empty)
    #expect(files.kernel == nil)
    #expect(files.parameters == nil)
  }

  @Test("An error names the missing or faulty file")
  func faults() throws {
    let nowhere = folder.file("nowhere.sex")
    let fault = #expect(throws: SExtractorFileError.self) {
      try SExtractorFiles(configuration: nowhere)
    }
    #expect(fault?.description.hasPrefix("\(nowhere): there is no such file; check") == true)
    #expect(
      try self.fault("FILTER_NAME nowhere.conv")
        .hasPrefix("nowhere.conv: there is no such file; check its path"))
    let kernel = try write("bad.conv", "CONV NORM\n1 2\n")
    #expect(
      try self.fault("FILTER_NAME bad.conv")
        .hasPrefix("\(kernel): a smoothing kernel of 2 × 1 weights; odd numbers"))
    let columns = try write("bad.param", "\nA (\nA(\n")
    #expect(
      try self.fault("PARAMETERS_NAME bad.param").hasPrefix("\(columns):3: “A(” is no column"))
    #expect(
      try self.fault("PARAMETERS_NAME \(folder.path)")
        .hasPrefix("\(folder.path): the file cannot be read; check its permissions"))
  }
}

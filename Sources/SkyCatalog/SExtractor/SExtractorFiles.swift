import Foundation
public import SkyDetection
import SkyFITS
package import SkyFiles

/// A SExtractor configuration, with the files that it names.
public struct SExtractorFiles: Sendable {
  /// The settings of the configuration file.
  public let configuration: SExtractorConfiguration
  /// The kernel of FILTER and FILTER_NAME; `nil` for SExtractor's usual one.
  public let kernel: SmoothingKernel?
  /// The columns of PARAMETERS_NAME; `nil` if there is no such list.
  public let parameters: SExtractorParameters?
  /// The path of the weight map; `nil` if there is none.
  public let weightPath: String?
  /// The path from which the kernel was read; `nil` if it was not read from a file.
  public let kernelPath: String?
  /// Whether the image is smoothed with SExtractor's usual kernel because there is no `default.conv`.
  package let lacksKernel: Bool
  /// The path from which the list of columns was read; `nil` if there is none.
  public let columnsPath: String?
  /// The network of STARNNW_NAME, and the path from which it was read; `nil` if no column needs it.
  package let network: StarNetwork?
  package let networkPath: String?
  /// The files that were read, as they were when they were opened.
  package let opened: [OpenedFile]
  /// The paths of files that would have been read without being named, if they had been there.
  package let absent: [String]

  /// The ending of the file beside an image whose cards replace those of its header.
  public let headerSuffix: String

  /// Reads a configuration file, the kernel and the list of columns. Their paths, and that of the
  /// weight map, are relative to the current directory, as with SExtractor. If no file is there,
  /// they are relative to the configuration's folder. As with SExtractor, `default.conv` and
  /// `default.param` are read if the configuration names no other files.
  ///
  /// Blocks the thread.
  ///
  /// - Throws: ``SExtractorFileError`` if one of the files cannot be read, or has a fault.
  public init(configuration path: String) throws {
    try self.init(configuration: path, for: .engage)
  }

  /// Does the same for a command. `sex` needs a list of columns, and does without a configuration file.
  ///
  /// - Parameter columns: the catalogue's columns; `nil` for those of the list. They tell whether the network of
  ///   STARNNW_NAME is needed.
  package init(
    configuration file: String?, for command: SExtractorConfiguration.Command,
    columns: [Column]? = nil
  ) throws {
    var opened: [OpenedFile?] = []
    func text(_ path: String, named name: String) throws -> String {
      let (text, file) = try Self.text(path, named: name)
      opened.append(file)
      return text
    }
    let path = file ?? ""
    let reader = try SExtractorReader(
      try file.map { try text($0, named: $0) } ?? "", file: path, for: command)
    let configuration = SExtractorConfiguration(reader, for: command)
    self.configuration = configuration
    // All faults are told at once: those of the configuration, and those of the files that it names.
    var faults = reader.faults
    func found<Value>(_ keyword: String, _ read: () throws -> Value?) throws -> Value? {
      guard !reader.faulty.contains(keyword) else { return nil }
      do {
        return try read()
      } catch let fault as SExtractorFileError {
        faults.append(fault)
        return nil
      }
    }
    var finder = SExtractorFileFinder(configuration: path)
    var kernelPath: String?
    var kernel: SmoothingKernel?
    if configuration.filters {
      kernel = try found("FILTER_NAME") {
        kernelPath =
          try configuration.kernelPath.map(finder.path) ?? finder.usual("default.conv")
        return try kernelPath.map { path in
          let name = Self.name(path, configuration.kernelPath)
          return try Self.kernel(text(path, named: name), file: name)
        }
      }
    }
    self.kernelPath = kernelPath
    lacksKernel = configuration.filters && kernelPath == nil
    self.kernel = configuration.filters ? kernel : SmoothingKernel.none
    var columnsPath: String?
    let parameters: SExtractorParameters? = try found("PARAMETERS_NAME") {
      columnsPath =
        try configuration.columnsPath.map(finder.path) ?? finder.usual("default.param")
      if case .sex = command { try Self.checkColumns(columnsPath) }
      return try columnsPath.map { path in
        let name = Self.name(path, configuration.columnsPath)
        return try SExtractorParameters(text: text(path, named: name), file: name)
      }
    }
    (self.columnsPath, self.parameters) = (columnsPath, parameters)
    if let columnsPath, let parameters {
      let name = Self.name(columnsPath, configuration.columnsPath)
      if case .sex = command {
        faults += [parameters.unservedFault(file: name)].compactMap(\.self)
      } else if configuration.selectsByAssociation {
        faults += [parameters.associationFault(file: name)].compactMap(\.self)
      }
    }
    let needsNetwork = (columns ?? parameters?.served ?? [])
      .contains(where: \.needsNetwork)
    if needsNetwork, configuration.seeing == 0 { faults.append(Self.seeingFault(file: path)) }
    let networkPath: String? =
      needsNetwork
      ? try found("STARNNW_NAME") { try finder.path(configuration.networkPath) } : nil
    network = try found("STARNNW_NAME") {
      try networkPath.map { path in
        try Self.network(text, path, named: Self.name(path, configuration.networkPath))
      }
    }
    self.networkPath = networkPath
    try SExtractorFileError.check(faults)
    weightPath = try configuration.weightPath.map(finder.path)
    headerSuffix = try EnvironmentVariables.expand(configuration.headerSuffix)
    self.opened = opened.compactMap(\.self)
    absent = finder.absent
  }

  private static func checkColumns(_ path: String?) throws(SExtractorFileError) {
    guard path == nil else { return }
    throw SExtractorFileError(
      .notReadable, file: "default.param", fault: "there is no such file",
      nextStep: "name the list of the catalogue's columns with PARAMETERS_NAME")
  }

  /// CLASS_STAR needs the seeing.
  private static func seeingFault(file: String) -> SExtractorFileError {
    SExtractorFileError(
      .unsupported, file: file.isEmpty ? "command line" : file,
      fault:
        "SEEING_FWHM is 0, which makes SExtractor measure CLASS_STAR by a PSF that does not exist here",
      nextStep: "set it to the width of a star in arcseconds, or leave CLASS_STAR out")
  }
}

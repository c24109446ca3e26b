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
    let configuration = try SExtractorConfiguration(
      text: file.map { try text($0, named: $0) } ?? "", file: path, for: command)
    self.configuration = configuration
    func beside(_ name: String) -> String {
      (path as NSString).deletingLastPathComponent + "/" + name
    }
    func resolve(_ written: String) throws -> String {
      // The configuration was refused if a variable does not exist.
      let written = try EnvironmentVariables.expand(written)
      let beside = beside(written)
      let isBeside =
        !written.hasPrefix("/") && path.contains("/")
        && !FileManager.default.fileExists(atPath: written)
        && FileManager.default.fileExists(atPath: beside)
      return isBeside ? beside : written
    }
    var absent: [String] = []
    /// A file that SExtractor reads without being told to.
    func usual(_ name: String) throws -> String? {
      let found = try resolve(name)
      if FileManager.default.fileExists(atPath: found) { return found }
      absent += path.contains("/") ? [name, beside(name)] : [name]
      return nil
    }
    kernelPath =
      configuration.filters
      ? try configuration.kernelPath.map(resolve) ?? usual("default.conv") : nil
    kernel =
      configuration.filters
      ? try kernelPath.map { path in
        let name = Self.name(path, configuration.kernelPath)
        return try Self.kernel(text(path, named: name), file: name)
      } : SmoothingKernel.none
    columnsPath = try configuration.columnsPath.map(resolve) ?? usual("default.param")
    if case .sex = command { try Self.checkColumns(columnsPath) }
    lacksKernel = configuration.filters && kernelPath == nil
    parameters = try columnsPath.map { path in
      let name = Self.name(path, configuration.columnsPath)
      let parameters = try SExtractorParameters(text: text(path, named: name), file: name)
      if case .sex = command { try parameters.checkServed(file: name) }
      return parameters
    }
    let needsNetwork = (columns ?? parameters?.served ?? [])
      .contains(where: \.needsNetwork)
    if needsNetwork { try Self.checkSeeing(configuration, file: path) }
    networkPath = needsNetwork ? try resolve(configuration.networkPath) : nil
    network = try networkPath.map { path in
      try Self.network(text, path, named: Self.name(path, configuration.networkPath))
    }
    weightPath = try configuration.weightPath.map(resolve)
    headerSuffix = try EnvironmentVariables.expand(configuration.headerSuffix)
    self.opened = opened.compactMap(\.self)
    self.absent = absent
    try checkAssociation()
  }

  private static func checkColumns(_ path: String?) throws(SExtractorFileError) {
    guard path == nil else { return }
    throw SExtractorFileError(
      .notReadable, file: "default.param", fault: "there is no such file",
      nextStep: "name the list of the catalogue's columns with PARAMETERS_NAME")
  }

  /// - Throws: ``SExtractorFileError`` if SExtractor would leave out sources that a list does not have.
  private func checkAssociation() throws {
    guard configuration.selectsByAssociation, let columnsPath,
      let column = parameters?.columns.first(where: {
        ["VECTOR_ASSOC", "NUMBER_ASSOC"].contains($0.name.uppercased())
      })
    else { return }
    throw SExtractorFileError(
      .unsupported, file: Self.name(columnsPath, configuration.columnsPath), line: column.line,
      fault:
        "\(column.name.uppercased()) makes SExtractor select sources by ASSOC_NAME, which does not exist here",
      nextStep: "remove the line, or set ASSOCSELEC_TYPE to ALL")
  }

  /// Reads a kernel file, as FILTER_NAME names one.
  ///
  /// Blocks the thread.
  ///
  /// - Throws: ``SExtractorFileError`` if the file cannot be read, or has a fault.
  public static func kernel(_ path: String) throws -> SmoothingKernel {
    try readKernel(path).kernel
  }

  /// Reads a kernel file, and tells what it was when it was opened; see ``kernel(_:)``.
  package static func readKernel(
    _ path: String
  ) throws -> (kernel: SmoothingKernel, file: OpenedFile?) {
    let (text, file) = try text(path, named: path)
    return (try kernel(text, file: path), file)
  }

  private static func kernel(_ text: String, file name: String) throws -> SmoothingKernel {
    do {
      return try SmoothingKernel(convolutionFile: text)
    } catch let fault as InvalidScan {
      throw SExtractorFileError(
        .invalidKernel, file: name, fault: fault.description,
        nextStep: "give a file of SExtractor's convolution masks (.conv)")
    }
  }

  /// A file's name in errors: its path, or what the configuration has for it if that names an
  /// environment variable, whose value may be nothing for others to read.
  package static func name(_ path: String, _ written: String?) -> String {
    written.flatMap { $0.contains("$") ? $0 : nil } ?? path
  }

  /// - Throws: ``SExtractorFileError`` if the seeing is not known.
  private static func checkSeeing(
    _ configuration: SExtractorConfiguration, file: String
  ) throws(SExtractorFileError) {
    guard configuration.seeing == 0 else { return }
    throw SExtractorFileError(
      .unsupported, file: file.isEmpty ? "command line" : file,
      fault:
        "SEEING_FWHM is 0, which makes SExtractor measure CLASS_STAR by a PSF that does not exist here",
      nextStep: "set it to the width of a star in arcseconds, or leave CLASS_STAR out")
  }

  /// Reads a network.
  private static func network(
    _ text: (String, _ name: String) throws -> String, _ path: String, named name: String
  ) throws -> StarNetwork {
    let nextStep = "name a network (.nnw) with STARNNW_NAME, or leave CLASS_STAR out"
    do {
      return try StarNetwork(networkFile: try text(path, name))
    } catch let fault as InvalidScan {
      throw SExtractorFileError(
        .invalidNetwork, file: name, fault: fault.description, nextStep: nextStep)
    } catch let error as SExtractorFileError {
      throw SExtractorFileError(
        error.code, file: name, fault: error.fault + ", and CLASS_STAR needs it",
        nextStep: nextStep)
    }
  }

  /// No file of SExtractor's is larger.
  private static let mostBytes = 1 << 20

  /// Accepts any bytes as text, so that a comment in Latin-1 does not make a file unreadable.
  private static func text(
    _ path: String, named name: String
  ) throws -> (text: String, file: OpenedFile?) {
    let fault: String
    let nextStep: String
    do {
      let (contents, file) = try SmallFile.read(path, most: mostBytes)
      return (String(decoding: contents, as: UTF8.self), file)
    } catch .absent {
      fault = "there is no such file"
      nextStep = "check its path, which starts from the current directory if it has no leading /"
    } catch .tooLarge {
      fault = "the file has more than \(mostBytes) bytes"
      nextStep = "name one of SExtractor's own files"
    } catch .unreadable {
      fault = "the file cannot be read"
      nextStep = "check its permissions, and that it is no folder"
    }
    throw SExtractorFileError(.notReadable, file: name, fault: fault, nextStep: nextStep)
  }
}

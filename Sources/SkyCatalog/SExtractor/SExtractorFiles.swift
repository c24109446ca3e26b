import Foundation
public import SkyDetection

/// A SExtractor configuration, with the files that it names.
public struct SExtractorFiles: Sendable {
  /// The settings of the configuration file.
  public let configuration: SExtractorConfiguration
  /// The kernel of FILTER and FILTER_NAME; `nil` if the configuration has neither.
  public let kernel: SmoothingKernel?
  /// The columns of PARAMETERS_NAME; `nil` if the configuration does not name such a list.
  public let parameters: SExtractorParameters?
  /// The path of the weight map; `nil` if there is none.
  public let weightPath: String?
  /// The path from which the kernel was read; `nil` if the configuration names no such file.
  public let kernelPath: String?
  /// The path from which the list of columns was read; `nil` if there is none.
  public let columnsPath: String?

  /// Reads a configuration file, the kernel and the list of columns. Their paths, and that of the
  /// weight map, are relative to the current directory, as with SExtractor. If no file is there,
  /// they are relative to the configuration's folder.
  ///
  /// Blocks the thread.
  ///
  /// - Throws: ``SExtractorFileError`` if one of the files cannot be read, or has a fault.
  public init(configuration path: String) throws {
    configuration = try SExtractorConfiguration(text: Self.text(path), file: path)
    func resolve(_ written: String) -> String {
      let beside = (path as NSString).deletingLastPathComponent + "/" + written
      let isBeside =
        !written.hasPrefix("/") && path.contains("/")
        && !FileManager.default.fileExists(atPath: written)
        && FileManager.default.fileExists(atPath: beside)
      return isBeside ? beside : written
    }
    kernelPath = configuration.filters == false ? nil : configuration.kernelPath.map(resolve)
    kernel =
      configuration.filters == false ? SmoothingKernel.none : try kernelPath.map(Self.kernel)
    columnsPath = configuration.columnsPath.map(resolve)
    parameters = try columnsPath.map { path in
      try SExtractorParameters(text: Self.text(path), file: path)
    }
    weightPath = configuration.weightPath.map(resolve)
  }

  /// Reads a kernel file, as FILTER_NAME names one.
  ///
  /// Blocks the thread.
  ///
  /// - Throws: ``SExtractorFileError`` if the file cannot be read, or has a fault.
  public static func kernel(_ path: String) throws -> SmoothingKernel {
    let text = try text(path)
    do {
      return try SmoothingKernel(convolutionFile: text)
    } catch let fault as InvalidScan {
      throw SExtractorFileError(
        .invalidKernel, file: path, fault: fault.description,
        nextStep: "give a file of SExtractor's convolution masks (.conv)")
    }
  }

  /// No file of SExtractor's is larger.
  private static let mostBytes = 1 << 20

  /// Accepts any bytes as text, so that a comment in Latin-1 does not make a file unreadable.
  private static func text(_ path: String) throws -> String {
    let fault: String
    let nextStep: String
    do {
      return String(decoding: try SmallFile.contents(of: path, most: mostBytes), as: UTF8.self)
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
    throw SExtractorFileError(.notReadable, file: path, fault: fault, nextStep: nextStep)
  }
}

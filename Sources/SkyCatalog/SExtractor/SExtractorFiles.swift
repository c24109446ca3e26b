import Foundation
public import SkyDetection

/// SExtractor's configuration, with the files that it names.
public struct SExtractorFiles: Sendable {
  public let configuration: SExtractorConfiguration
  /// What FILTER and FILTER_NAME ask for; none, if they say nothing.
  public let kernel: SmoothingKernel?
  /// The columns that PARAMETERS_NAME asks for; none, if it is not there.
  public let parameters: SExtractorParameters?
  /// Where the map of weights is, if there is one.
  public let weightPath: String?
  /// Where the kernel was read from, if a file names it.
  public let kernelPath: String?
  /// Where the list of columns was read from, if there is one.
  public let columnsPath: String?

  /// Reads a configuration file, the kernel and the list of columns. Their paths, and that of the
  /// map of weights, start from the current directory, as with SExtractor; if there is no such file,
  /// from the configuration's folder.
  ///
  /// It blocks the thread.
  ///
  /// - Throws: ``SExtractorFileError`` if one of them cannot be read, or is faulty.
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

  /// Reads a file of a kernel, as FILTER_NAME names one.
  ///
  /// It blocks the thread.
  ///
  /// - Throws: ``SExtractorFileError`` if it cannot be read, or is faulty.
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

  /// More is no file of SExtractor's.
  private static let mostBytes = 1 << 20

  /// Any bytes are a text: a comment in Latin-1 is no reason to refuse a file.
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

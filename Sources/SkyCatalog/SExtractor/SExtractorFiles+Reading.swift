import Foundation
public import SkyDetection
package import SkyFiles

extension SExtractorFiles {
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

  static func kernel(_ text: String, file name: String) throws -> SmoothingKernel {
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

  /// Reads a network.
  static func network(
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
  static func text(
    _ path: String, named name: String
  ) throws -> (text: String, file: OpenedFile?) {
    let fault: String
    let nextStep: String
    do {
      let (contents, file) = try SmallFile.read(path, most: mostBytes)
      return (String(decoding: contents, as: UTF8.self), file)
    } catch .absent {
      (fault, nextStep) = OddName.absence(
        of: path,
        or: (
          "there is no such file",
          "check its path, which starts from the current directory if it has no leading /"
        ))
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

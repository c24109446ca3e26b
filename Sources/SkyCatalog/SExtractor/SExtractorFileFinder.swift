import Foundation
import SkyFiles

/// Finds the files of a SExtractor configuration.
struct SExtractorFileFinder {
  /// The configuration's path; empty if there is none.
  private let configuration: String
  /// The paths of files that would have been found without being named, if they had been there.
  private(set) var absent: [String] = []

  init(configuration: String) { self.configuration = configuration }

  /// Where a file is that the configuration names: relative to the current directory, or, if it is only there, to the
  /// configuration's folder.
  ///
  /// - Throws: an error if its path names an environment variable that does not exist. (Reading the configuration has
  ///   thrown it before.)
  func path(_ written: String) throws -> String {
    let written = try EnvironmentVariables.expand(written)
    guard !written.isAbsolutePath, let beside = beside(written),
      !FileManager.default.fileExists(atPath: written),
      FileManager.default.fileExists(atPath: beside)
    else { return written }
    return beside
  }

  /// Where a file is that SExtractor reads without being told to; `nil` if it is not there.
  mutating func usual(_ name: String) throws -> String? {
    let found = try path(name)
    if FileManager.default.fileExists(atPath: found) { return found }
    absent += [name] + [beside(name)].compactMap(\.self)
    return nil
  }

  /// The path in the configuration's folder; `nil` if that is the current directory.
  private func beside(_ name: String) -> String? {
    SplitPath.split(configuration).folder?.appendingName(name)
  }
}

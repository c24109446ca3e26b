package import SkyNetCore

/// What has to be known of a job, besides what its journal records anyway, to run one of its sectors again,
/// and to say what a run was: each process of a run records its own.
package struct RunSetup: Hashable, Sendable, Codable {
  /// A file that the job reads.
  package struct File: Hashable, Sendable, Codable {
    /// The absolute path.
    package var path: String
    /// The number of the image in the file.
    package var image: Int

    package init(path: String, image: Int) {
      self.path = path
      self.image = image
    }
  }

  /// A file that the outputs depend on, as it was when the process opened it.
  package struct Input: Hashable, Sendable, Codable {
    /// The absolute path.
    package var path: String
    /// Which version of the file it was. The journal compares no states: who recorded them does.
    package var state: String

    package init(path: String, state: String) {
      self.path = path
      self.state = state
    }
  }

  /// What is scanned, such as an image's name.
  package var name: String
  /// The names of the passes that the job may have.
  package var passes: [String]
  package var kind: ScanKind
  /// The scan's settings, as JSON.
  package var settings: String
  package var image: File?
  /// The weights of the image's pixels.
  package var weights: File?
  /// The sectors of a ``PartialJob``; `nil` of a job that scans all of its sectors.
  package var sectors: [Range<Int>]?
  /// The absolute path of the file with the background over which sources are found; `nil` if the job makes its own.
  package var background: String?
  /// The files that the outputs depend on; `nil` if the job has none, or they were not recorded.
  package var inputs: [Input]?
  /// Whether the process found, after its last output, that no input had changed. Until it has, an output may be that
  /// of a changed input.
  package var isVerified: Bool?

  package init(
    name: String, passes: [String], kind: ScanKind, settings: String, image: File? = nil,
    weights: File? = nil
  ) {
    self.name = name
    self.passes = passes
    self.kind = kind
    self.settings = settings
    self.image = image
    self.weights = weights
  }
}

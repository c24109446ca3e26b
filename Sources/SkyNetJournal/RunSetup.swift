package import SkyNetCore

/// What has to be known of a job, besides what its journal records anyway, to run one of its sectors again,
/// and to say what a run was: each process of a run records its own.
package struct RunSetup: Hashable, Sendable, Codable {
  /// Which workload the run was of, and what that needs beside the settings to make its job again. The journal keeps
  /// it as it was given.
  package struct Workload: Hashable, Sendable, Codable {
    package let name: String
    /// JSON that the workload of this name alone reads; `nil` if the settings are all that it needs.
    package let record: String?

    package init(name: String, record: String? = nil) {
      self.name = name
      self.record = record
    }
  }

  /// A file that the outputs depend on, as it was when the process opened it.
  package struct Input: Hashable, Sendable, Codable {
    /// The absolute path.
    package var path: String
    /// Which version of the file it was. The journal does not compare states; its caller does.
    package var state: String

    package init(path: String, state: String) {
      self.path = path
      self.state = state
    }
  }

  /// What is scanned, such as a file's name.
  package var name: String
  /// The names of the passes that the job may have.
  package var passes: [String]
  package var kind: ScanKind
  /// The scan's settings, as JSON.
  package var settings: String
  /// `nil` of a run that no command began.
  package var workload: Workload?
  /// The files that the outputs depend on; `nil` if the job has none, or they were not recorded.
  package var inputs: [Input]?
  /// Whether the process found, after its last output, that no input had changed. Until then, an output may be that of
  /// a changed input.
  package var isVerified: Bool?

  package init(
    name: String, passes: [String], kind: ScanKind, settings: String, workload: Workload? = nil
  ) {
    self.name = name
    self.passes = passes
    self.kind = kind
    self.settings = settings
    self.workload = workload
  }
}

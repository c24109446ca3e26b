public import SkyNetCore

/// What has to be known of a job, besides what its journal records anyway, to run one of its sectors again,
/// and to say what a run was: each process of a run records its own.
public struct RunSetup: Hashable, Sendable, Codable {
  /// Which workload the run was of, and what that needs beside the settings to make its job again. The journal keeps
  /// it as it was given.
  public struct Workload: Hashable, Sendable, Codable {
    public let name: String
    /// JSON that the workload of this name alone reads; `nil` if the settings are all that it needs.
    public let record: String?

    public init(name: String, record: String? = nil) {
      self.name = name
      self.record = record
    }
  }

  /// A file that the outputs depend on, as it was when the process opened it.
  public struct Input: Hashable, Sendable, Codable {
    /// The absolute path.
    public var path: String
    /// Which version of the file it was. The journal does not compare states; its caller does.
    public var state: String

    public init(path: String, state: String) {
      self.path = path
      self.state = state
    }
  }

  /// What is scanned, such as a file's name.
  public var name: String
  /// The names of the passes that the job may have.
  public var passes: [String]
  public var kind: ScanKind
  /// The scan's settings, as JSON.
  public var settings: String
  /// `nil` of a run that no command began.
  public var workload: Workload?
  /// The files that the outputs depend on; `nil` if the job has none, or they were not recorded.
  public var inputs: [Input]?
  /// Whether the process found, after its last output, that no input had changed. Until then, an output may be that of
  /// a changed input.
  public var isVerified: Bool?

  public init(
    name: String, passes: [String], kind: ScanKind, settings: String, workload: Workload? = nil
  ) {
    self.name = name
    self.passes = passes
    self.kind = kind
    self.settings = settings
    self.workload = workload
  }
}

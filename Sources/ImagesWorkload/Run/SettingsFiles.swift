import SkyCatalog
import SkyDetection
import SkyFITS
import SkyFiles
import SkyNetCommand
import SkyScan

/// The files with settings that a command line or a list of images names, each read once.
struct SettingsFiles {
  /// The path of SExtractor's configuration; `nil` if none is named.
  let path: String?
  /// The configuration, and the files that it names.
  let files: SExtractorFiles?
  /// The kernel of `--kernel`, in precedence over the configuration's.
  let kernel: SmoothingKernel?
  /// All of these files, as they were when they were opened.
  let opened: [OpenedFile]

  /// - Throws: `SExtractorFileError`.
  init(_ options: ImageOptions) throws {
    try self.init(
      configuration: options.config, kernel: options.kernel, columns: try options.chosenColumns,
      for: options.sextractorCommand)
  }

  /// - Parameter columns: the columns that options ask for; `nil` for those of the configuration's list.
  /// - Throws: `SExtractorFileError`.
  init(
    configuration path: String?, kernel: String?, columns: [Column]?,
    for command: SExtractorConfiguration.Command = .engage
  ) throws {
    let files: SExtractorFiles? =
      switch command {
      case .engage, .engageInFormat:
        try path.map { try SExtractorFiles(configuration: $0, for: command, columns: columns) }
      case .sex: try SExtractorFiles(configuration: path, for: command, columns: columns)
      }
    let own = try kernel.map(SExtractorFiles.readKernel)
    self.path = path
    self.files = files
    self.kernel = own?.kernel
    opened = (files?.opened ?? []) + [own?.file].compactMap(\.self)
  }

  /// The format of catalogues that the configuration names; `nil` if there is none.
  var catalogFormat: SExtractorFormat? { files?.configuration.catalogFormat }

  /// The hashes of the environment variables that the configuration names, which a night's journal keeps; `nil` if it
  /// names none.
  var variables: [String: String]? {
    guard let names = files?.configuration.variables, !names.isEmpty else { return nil }
    return Dictionary(uniqueKeysWithValues: names.map { ($0, EnvironmentVariables.hash(of: $0)) })
  }

  /// Says what of the configuration and of its list of columns is not used.
  ///
  /// - Throws: `InvalidScan`, ``StrictError`` if something that the list asks for is missing, and the options allow no
  ///   such catalogue.
  func report(_ options: ImageOptions) throws {
    guard let files else { return }
    if let path, let notice = files.configuration.notice(file: path) {
      Console.standardError.line("note: \(notice)")
    }
    try StrictError.report(try files.warnings(options), isStrict: options.strict)
  }

  /// What a night's journal keeps of these files, also of those that are not there: once they are, they count. Reads
  /// them, which blocks the thread.
  var inputs: [NightFacts.Input] {
    opened.map {
      NightFacts.Input(
        path: $0.path, state: $0.state, contents: try? FITSImage.contentsHash(ofFile: $0.path))
    }
      + (files?.absent ?? []).map { NightFacts.Input(path: $0, state: nil) }
  }
}

extension EnvironmentVariables {
  /// The hash of a variable's value; empty if it does not exist.
  static func hash(of name: String) -> String {
    value(of: name).map(FITSImage.contentsHash(of:)) ?? ""
  }
}

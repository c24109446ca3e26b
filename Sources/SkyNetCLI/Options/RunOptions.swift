import ArgumentParser

/// The options of every engagement, whatever its workload.
struct RunOptions: ParsableArguments {
  @OptionGroup(title: "Systems") var systems: SystemOptions
  @OptionGroup(title: "Systems") var peers: PeerOptions
  @OptionGroup(title: "Systems") var security: SecurityOptions
  @OptionGroup(title: "Failures") var failures: FailureOptions
  @OptionGroup(title: "Results") var results: ResultOptions
  @OptionGroup(title: "Journal") var recording: JournalOptions
  @OptionGroup(title: "In a browser") var page: EngagePageOptions
  @OptionGroup(title: "Metrics") var observing: MetricsOptions
  @OptionGroup var log: LogFormatOption

  /// The files that are read, with the options that name them.
  var readFiles: [Check.File] { security.files + observing.files }

  /// The files that are written, with the options that name them; the journal comes first.
  var writtenFiles: [Check.File] {
    [
      ("journal", recording.journal), ("results", results.resultsFile),
      ("events", results.events == "-" ? nil : results.events),
    ]
  }

  /// Whether no remote system can ever be connected.
  private var findNone: Bool { peers.findNone && systems.listen == nil }

  func validate() throws {
    if systems.noLocal, findNone {
      throw ValidationError(
        "--no-local and --no-discovery leave no system that scans: name nodes with "
          + "--peers host:port,… or --rendezvous DIR, let them dial with --listen PORT, or leave out one "
          + "of the two")
    }
    if systems.waitFor > 0, findNone {
      throw ValidationError(
        "--wait-for waits for remote systems, and with --no-discovery none is found: name nodes "
          + "with --peers host:port,… or --rendezvous DIR, let them dial with --listen PORT, or leave out "
          + "one of the two")
    }
  }

  /// Whether cutting a small job gains nothing: one scan at a time is all that can run, nobody is shown single
  /// sectors, and no journal may be continued with more systems.
  var noneSeesSectors: Bool {
    findNone && systems.localSlots == 1 && page.page.web == nil && !results.areWanted
      && recording.journal == nil
  }
}

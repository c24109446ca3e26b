import ArgumentParser
import SkyNetCore
import SkyNetJournal

/// The options of every engagement, whatever its workload.
public struct RunOptions: Sendable {
  package let systems: SystemOptions
  let peers: PeerOptions
  let security: SecurityOptions
  let failures: FailureOptions
  package let results: ResultOptions
  /// Whether standard output gets the results as they are.
  let printsResults: Bool
  package let recording: JournalOptions
  let page: PageOptions
  /// Whether the page outlives the run.
  let keepsPage: Bool
  let observing: MetricsOptions
  /// Whether not even the summary is printed.
  let isSilent: Bool

  /// How many scans this process runs at a time, on a system of its own.
  public var localSlots: Int { systems.localSlots }
  /// The journal's path, if there is one.
  public var journal: String? { recording.journal }
  /// Whether the run has a page.
  public var hasPage: Bool { page.web != nil }
  /// Whether only the summary, and what is wrong, is printed.
  public var isQuiet: Bool { results.quiet || isSilent }

  /// The files that are read, with the options that name them.
  public var readFiles: [FileOption] { security.files + observing.files }

  /// The files that are written, with the options that name them; the journal comes first. `-` is standard output,
  /// which may also get the results unasked.
  public var writtenFiles: [FileOption] {
    [
      ("journal", journal), ("json", results.json ? "-" : nil),
      ("results", printsResults ? "-" : results.results), ("events", results.events),
    ]
  }

  /// All files that the run reads or writes, with the options that name them, and those beside the journal.
  package var files: [FileOption] {
    writtenFiles.filter { $0.path != "-" } + readFiles
      + (journal.map { SQLiteJournal.sideFiles(of: $0) } ?? []).map { ("journal", $0) }
  }

  /// Whether no remote system can ever be connected.
  private var findNone: Bool { peers.findNone && systems.listen == nil }

  /// Whether no other process can ever take part: no system scans for the run, and the run serves nobody.
  var isAlone: Bool { findNone && !systems.serve }
  /// Whether remote systems may be connected.
  package var looksForNodes: Bool { !findNone }

  /// How the run engages systems.
  var engagement: EngagementSettings {
    var settings = failures.settings
    // This command's own system is there at once, and no other one comes.
    if findNone { settings.firstSystemTimeout = .seconds(1) }
    return settings
  }

  /// Checks options that do not go together.
  ///
  /// - Throws: `ValidationError`.
  func check() throws {
    if results.inOrder, !printsResults, !results.sayWhere {
      throw ValidationError("--in-order is about results: give --results FILE or --json too")
    }
    if keepsPage, !hasPage {
      throw ValidationError("--web-keep is about the page: give --web too")
    }
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

  /// Whether cutting a small job gains nothing: no other system can help, nobody is shown single sectors, and no
  /// journal may be continued with more systems.
  package var noneSeesSectors: Bool {
    findNone && !hasPage && !results.areWanted && !printsResults && journal == nil
  }
}

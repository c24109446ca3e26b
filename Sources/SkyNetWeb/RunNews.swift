import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// What has happened in a run between two moments, taken out of its state.
struct RunNews {
  /// The most attempts of one message.
  static let (endedLimit, inFlightLimit) = (200, 256)
  /// The most parts that a message names as being scanned.
  static let partsInFlightLimit = 8

  struct CellChange {
    let index: Int
    let cell: SectorField.Cell
  }

  struct Figures {
    let run: RunID?
    let name: String
    let began: Double
    let end: String?
    let sectors: Int
    let completed: Int
    let failed: Int
    let restored: Int
    let retried: Int
    let hedged: Int
    let rate: Double
    let secondsLeft: Double?
    let pass: String?
    let passes: [String]
    /// How many sectors the field has: more than are scanned, if a part was dropped.
    let fieldSectors: Int
    let sectorsPerCell: Int
    /// `nil` if the job does not grow.
    let parts: Parts?
  }

  /// The parts of a growing job.
  struct Parts {
    let progress: PartProgress
    /// The names of those that are being scanned.
    let inFlight: [String]
  }

  let time: Double
  let figures: Figures
  let systems: [SystemRow]
  let cells: [CellChange]
  let inFlight: [(key: AttemptRecord.Key, flight: AttemptRecord.Flight)]
  let ended: [AttemptRecord.Entry]
  /// The attempts that ended in the time, and are not in ``ended``.
  let skipped: Int
  let failures: ArraySlice<SectorFailure>
  /// x, y and strength of each.
  let points: [Float]
  let notices: ArraySlice<Notices.Notice>
  /// The notices of the time that are not kept any more.
  let lostNotices: Int
  /// The parts that have come to be known.
  let parts: [JobPart]
  /// The whole run over its time, and what of it has been told and will have been.
  let curve: (now: RunCurve, told: RunCurve.Cursor, end: RunCurve.Cursor)
  /// What the run has come to; `nil` while it goes on.
  let ending: RunEnding?
  /// Whether anything can differ from what was told before.
  let isNews: Bool

  init(of state: RunFeed.State, after cursor: RunFeed.Cursor, until cut: Cut<RunFeed.Cursor>) {
    let (view, end) = (state.view, cut.cursor)
    // A run that has ended is shown as of its end.
    time = end.hasEnded ? view.now : cut.time
    figures = Figures(view, at: time)
    systems = view.systems
    cells = Self.changes(in: view.field, after: cursor.field, until: end.field)
    inFlight = view.attempts.inFlight.prefix(Self.inFlightLimit).map { (key: $0, flight: $1) }
    let latest = max(cursor.attempts, end.attempts - Self.endedLimit)
    ended = view.attempts.ended(after: latest, until: end.attempts)
    skipped = end.attempts - cursor.attempts - ended.count
    failures = state.failures.latest(after: cursor.failures, until: end.failures)
    points = state.points.numbers(after: cursor.points, until: end.points)
    let all = view.notices.latest(after: cursor.notices)
    notices = all.prefix { $0.number <= end.notices }
    parts = state.parts.latest(after: cursor.parts, until: end.parts)
    ending = state.ending
    curve = (view.curve, cursor.curve, end.curve)
    lostNotices = end.notices - cursor.notices - notices.count
    // Each cut begins a version of the field, so another version alone is no news.
    var told = cursor
    told.field = end.field
    // While a run goes on, its figures change with the time.
    isNews = !end.hasEnded || !cells.isEmpty || told != end
  }

  private static func changes(
    in field: SectorField, after start: UInt32, until end: UInt32
  ) -> [CellChange] {
    var changes: [CellChange] = []
    field.cells.withUnsafeBufferPointer { cells in
      for index in cells.indices where cells[index].version > start && cells[index].version <= end {
        changes.append(CellChange(index: index, cell: cells[index]))
      }
    }
    return changes
  }
}

extension RunNews.Figures {
  init(_ view: RunView, at time: Double) {
    self.init(
      run: view.run, name: view.name, began: view.began, end: view.end, sectors: view.sectors,
      completed: view.completed, failed: view.failed, restored: view.restored,
      retried: view.retried, hedged: view.hedged, rate: view.tasksPerSecond(at: time),
      secondsLeft: view.end == nil ? view.secondsLeft(at: time) : nil, pass: view.pass,
      passes: view.passes, fieldSectors: view.field.sectors,
      sectorsPerCell: view.field.sectorsPerCell,
      parts: view.parts.begun == 0
        ? nil
        : RunNews.Parts(
          progress: view.parts,
          inFlight: view.partsInFlight.prefix(RunNews.partsInFlightLimit).map(\.name)))
  }
}

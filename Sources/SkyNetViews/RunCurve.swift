/// What a run did over its whole time, in bins of equal length: how many slots were busy, which system did how many
/// tasks, how many attempts were tried again. Marks tell when systems came and went.
///
/// Its memory is bounded: when there would be more than ``binLimit`` bins, each two neighbours become one. Times are
/// seconds since 1970.
package struct RunCurve: Sendable {
  /// The most bins. A bin has a number for each of its systems that did something, so that a thousand systems may take
  /// some megabytes.
  package static let binLimit = 512
  /// The length of a bin in a run that has just begun.
  package static let firstStep = 0.5
  /// More seconds than any run takes, some thirty thousand years.
  private static let longest = 1e12

  package struct Bin: Hashable, Sendable {
    /// The seconds for which slots were busy, together.
    package var busySeconds = 0.0
    /// The attempts tried again that ended in the bin.
    package var retried = 0
    /// The tasks that systems did, ordered by the systems' rows.
    package private(set) var done: [Share] = []

    package init() {}

    /// Adds tasks that systems did.
    ///
    /// - Parameter shares: ordered by the systems' rows, which differ.
    package mutating func add(_ shares: [Share]) {
      guard !done.isEmpty else {
        done = shares
        return
      }
      var (merged, rest) = ([Share](), done[...])
      merged.reserveCapacity(done.count + shares.count)
      for var share in shares {
        while let first = rest.first, first.row < share.row { merged.append(rest.removeFirst()) }
        if rest.first?.row == share.row { share.tasks += rest.removeFirst().tasks }
        merged.append(share)
      }
      done = merged + rest
    }

    /// Adds what happened in another bin.
    fileprivate mutating func add(_ other: Bin) {
      busySeconds += other.busySeconds
      retried += other.retried
      add(other.done)
    }
  }

  /// What a system did in a bin.
  package struct Share: Hashable, Sendable {
    package let row: Int
    package fileprivate(set) var tasks: Int

    package init(row: Int, tasks: Int) { (self.row, self.tasks) = (row, tasks) }
  }

  /// When bin 0 begins.
  package let start: Double
  /// The seconds of a bin.
  package private(set) var step: Double
  /// How often ``step`` was doubled.
  package private(set) var doublings = 0
  /// The bins that have ended.
  private var ended: [Bin] = []
  private var present = Bin()
  /// What systems did in the present bin, by their rows, and which rows did something.
  private var done: [Int32] = []
  private var busyRows: [Int] = []
  package private(set) var marks = CurveMarks()
  /// The attempts in flight.
  private var inFlight = 0
  /// The time until which the curve is known.
  package private(set) var end: Double

  package init(start: Double) {
    self.start = start
    end = start
    step = Self.firstStep
  }

  /// A curve that is known as a whole.
  ///
  /// - Parameters:
  ///   - step: as ``step(of:)`` gives it.
  ///   - bins: at least one.
  package init(start: Double, end: Double, step: Double, bins: [Bin], marks: CurveMarks) {
    (self.start, self.end, self.step, self.marks) = (start, max(start, end), step, marks)
    ended = Array(bins.dropLast())
    present = bins.last ?? Bin()
  }

  /// The length of the bins of a run that takes so many seconds.
  package static func step(of seconds: Double) -> Double {
    var step = firstStep
    while seconds >= step * Double(binLimit) { step *= 2 }
    return step
  }

  /// How many bins there are, the present one among them.
  package var count: Int { ended.count + 1 }

  package func bin(_ number: Int) -> Bin {
    number < ended.count ? ended[number] : withShares(present)
  }

  /// The mean number of busy slots in a bin, of as much of it as has passed.
  package func busy(in number: Int) -> Double {
    let isPresent = number == ended.count
    let length = isPresent ? min(step, end - begin(of: number)) : step
    let seconds = isPresent ? present.busySeconds : ended[number].busySeconds
    return length > 0 ? seconds / length : 0
  }

  private func begin(of number: Int) -> Double { start + Double(number) * step }

  // MARK: Events

  mutating func began(at time: Double) {
    advance(to: time)
    inFlight += 1
  }

  /// An attempt has ended, by which a task may be done.
  mutating func ended(on row: Int, isDone: Bool, at time: Double) {
    advance(to: time)
    if inFlight > 0 { inFlight -= 1 }
    guard isDone else { return }
    if row >= done.count { done += Array(repeating: 0, count: row + 1 - done.count) }
    if done[row] == 0 { busyRows.append(row) }
    done[row] += 1
  }

  mutating func retried(at time: Double) {
    advance(to: time)
    present.retried += 1
  }

  mutating func mark(_ kind: CurveMarks.Kind, _ row: Int? = nil, at time: Double) {
    marks.add(kind, row, at: max(start, time))
  }

  /// Nothing else happened until then. A time before the last one, from a clock that was set back, counts as the last.
  package mutating func advance(to time: Double) {
    // Bins of a time beyond all runs would be doubled for ever.
    guard time > end, time - start < Self.longest else { return }
    if time >= begin(of: count) { endBins(until: time) }
    present.busySeconds += Double(inFlight) * (time - end)
    end = time
  }

  /// Ends the bins before the one that the time lies in.
  private mutating func endBins(until time: Double) {
    present = withShares(present)
    for row in busyRows { done[row] = 0 }
    busyRows.removeAll(keepingCapacity: true)
    while time >= begin(of: Self.binLimit) { double() }
    while time >= begin(of: count) {
      present.busySeconds += Double(inFlight) * (begin(of: count) - end)
      end = begin(of: count)
      ended.append(present)
      present = Bin()
    }
  }

  private mutating func double() {
    step *= 2
    doublings += 1
    let bins = ended + [present]
    var merged = stride(from: 0, to: bins.count, by: 2).map { index in
      var bin = bins[index]
      if index + 1 < bins.count { bin.add(bins[index + 1]) }
      return bin
    }
    present = merged.removeLast()
    ended = merged
  }

  private func withShares(_ bin: Bin) -> Bin {
    guard !busyRows.isEmpty else { return bin }
    var bin = bin
    bin.add(busyRows.sorted().map { Share(row: $0, tasks: Int(done[$0])) })
    return bin
  }
}

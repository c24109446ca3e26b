import SkyNetCore

/// The panel of a run, as lines of text.
struct EngageView {
  /// How many sectors were completed at which times; the rate is taken over the last seconds.
  private var samples: [(at: Instant, completed: Int)] = []
  private static let window = Duration.seconds(5)

  /// The panel's lines at a time.
  mutating func lines(
    _ tally: Tally, connected: [String], at now: Instant, width: Int
  ) -> [String] {
    // Results from a journal arrive all at once, so the rate leaves them out.
    let rate = self.rate(tally.completed - tally.restoredCount, at: now)
    let scheduled = tally.inFlight.values.reduce(0, +)
    return [
      "scheduled \(scheduled)   \(Self.short(rate)) tasks/s   "
        + (connected.isEmpty
          ? "not connected"
          : "connected to \(connected.count) system\(connected.count == 1 ? "" : "s")"),
      Self.progress(tally, rate: rate, width: width),
    ] + Self.systems(tally, connected: connected)
  }

  private mutating func rate(_ completed: Int, at now: Instant) -> Double {
    samples.append((now, completed))
    samples.removeAll { $0.at.duration(to: now) > Self.window }
    guard let first = samples.first, first.at < now else { return 0 }
    return Double(completed - first.completed) / first.at.duration(to: now).inSeconds
  }

  private static func progress(_ tally: Tally, rate: Double, width: Int) -> String {
    let ended = tally.completed + tally.failed
    let counts = "completed \(tally.completed) of \(tally.total)"
    let left = ended == tally.total ? "" : rate > 0 ? time(Double(tally.total - ended) / rate) : "…"
    let tail =
      (left.isEmpty ? "" : "  \(left) left") + (tally.failed > 0 ? "  \(tally.failed) failed" : "")
    let room = max(10, min(40, width - counts.count - tail.count - 6))
    let filled = tally.total > 0 ? room * ended / tally.total : room
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
    return "\(counts)  \(bar)\(tail)"
  }

  private static func systems(_ tally: Tally, connected: [String]) -> [String] {
    let shares = Dictionary(
      uniqueKeysWithValues: tally.sharesBySystem.map { ($0.system, $0.completed) })
    let names = Set(connected).union(shares.keys).union(tally.inFlight.filter { $0.value > 0 }.keys)
    let longest = names.map(\.count).max() ?? 0
    return names.sorted { $0 == "local" || ($1 != "local" && $0 < $1) }.map { name in
      let isGone = name != "local" && !connected.contains(name)
      return "  " + name.padded(to: longest) + "  \(shares[name] ?? 0) completed, "
        + "\(tally.inFlight[name] ?? 0) in flight" + (isGone ? ", gone" : "")
    }
  }

  private static func short(_ rate: Double) -> String {
    rate >= 100 ? "\(Int(rate.rounded()))" : Duration.seconds(rate).inTenths
  }

  private static func time(_ seconds: Double) -> String {
    let seconds = Int(min(seconds, 1e9).rounded(.up))
    return seconds < 60
      ? "\(seconds) s"
      : seconds < 3600
        ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }
}

package import CoreMetrics
import Synchronization

/// The metrics of a process, for a Prometheus that asks for them: a backend of swift-metrics, whose text is
/// ``text()``.
///
///     let registry = PrometheusRegistry()
///     MetricsSystem.bootstrap(registry)
///
/// Names get the endings that Prometheus's conventions want: `_total` for counters, `_seconds` for timers. The
/// number of series is bounded; what comes beyond is not listed.
package final class PrometheusRegistry: Sendable {
  /// Looks figures up when a Prometheus asks for them.
  package typealias Collector = @Sendable () async -> [MetricFamily]

  /// The most series of instruments.
  static let seriesLimit = 10_000

  private struct Family {
    let kind: MetricFamily.Kind
    var instruments: [[MetricFamily.Label]: any Instrument] = [:]
  }

  private struct State {
    var families: [String: Family] = [:]
    var seriesCount = 0
    var collectors: [Collector] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Has this closure asked for figures each time that the text is made, until the registry is gone.
  package func collect(_ collector: @escaping Collector) {
    state.withLock { $0.collectors.append(collector) }
  }

  /// All metrics, as they are now.
  package func text() async -> String {
    let (families, collectors) = state.withLock { ($0.families, $0.collectors) }
    let measured = families.map { name, family in
      MetricFamily(
        name, family.kind, help: MetricHelp.text(for: name),
        family.instruments.sorted { $0.key.lexicallyPrecedes($1.key) }
          .flatMap { labels, instrument in instrument.samples(labels) })
    }
    var looked: [MetricFamily] = []
    for collector in collectors { looked += await collector() }
    return PrometheusText.text(merged(measured + looked))
  }

  /// One family for each name: two families of a name would not be Prometheus's format.
  private func merged(_ families: [MetricFamily]) -> [MetricFamily] {
    var byName: [String: MetricFamily] = [:]
    for family in families {
      guard let known = byName[family.name] else {
        byName[family.name] = family
        continue
      }
      let seen = Set(known.samples.map { [$0.suffix] + $0.labels.map { "\($0.name)=\($0.value)" } })
      guard known.kind == family.kind else { continue }
      byName[family.name]?.samples += family.samples.filter { sample in
        !seen.contains([sample.suffix] + sample.labels.map { "\($0.name)=\($0.value)" })
      }
    }
    return Array(byName.values)
  }

  // MARK: Instruments

  /// The instrument of this name and labels, which is made if there is none. An instrument that cannot be
  /// listed, since its name has another type already or there are too many, measures all the same.
  private func instrument<Made: Instrument>(
    _ name: String, _ kind: MetricFamily.Kind, _ dimensions: [(String, String)],
    make: () -> Made
  ) -> Made {
    let labels = Self.labels(dimensions)
    return state.withLock { state in
      var family = state.families[name] ?? Family(kind: kind)
      if let known = family.instruments[labels] as? Made { return known }
      let made = make()
      guard family.kind == kind, family.instruments[labels] == nil,
        state.seriesCount < Self.seriesLimit
      else { return made }
      family.instruments[labels] = made
      state.families[name] = family
      state.seriesCount += 1
      return made
    }
  }

  private static func labels(_ dimensions: [(String, String)]) -> [MetricFamily.Label] {
    var seen: Set<String> = []
    return dimensions.compactMap { name, value in
      var name = PrometheusText.labelName(name)
      // A histogram's own label.
      if name == "le" { name = "le_" }
      return seen.insert(name).inserted ? MetricFamily.Label(name, value) : nil
    }
  }

  private func remove(_ handler: AnyObject) {
    state.withLock { state in
      for (name, family) in state.families {
        for (labels, instrument) in family.instruments where instrument === handler {
          state.families[name]?.instruments[labels] = nil
          state.seriesCount -= 1
          return
        }
      }
    }
  }

  private static func name(_ label: String, ending: String) -> String {
    let name = PrometheusText.metricName(label)
    return name.hasSuffix(ending) ? name : name + ending
  }
}

extension PrometheusRegistry: MetricsFactory {
  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    instrument(
      Self.name(label, ending: "_total"), .counter, dimensions, make: CounterInstrument.init)
  }

  package func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    instrument(
      Self.name(label, ending: "_total"), .counter, dimensions,
      make: FloatingPointCounterInstrument.init)
  }

  package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    instrument(PrometheusText.metricName(label), .gauge, dimensions, make: GaugeInstrument.init)
  }

  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    let name = PrometheusText.metricName(label)
    guard aggregate else {
      return instrument(name, .gauge, dimensions, make: GaugeInstrument.init)
    }
    return instrument(name, .histogram, dimensions) {
      HistogramInstrument(bounds: HistogramInstrument.plainBounds)
    }
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    instrument(Self.name(label, ending: "_seconds"), .histogram, dimensions) {
      HistogramInstrument(bounds: HistogramInstrument.secondsBounds)
    }
  }

  package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
  package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
    remove(handler)
  }
  package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
  package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
  package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}

extension [MetricFamily.Label] {
  fileprivate func lexicallyPrecedes(_ other: Self) -> Bool {
    lexicographicallyPrecedes(other) { ($0.name, $0.value) < ($1.name, $1.value) }
  }
}

import CoreMetrics
import Synchronization

/// What a handler of swift-metrics has measured, as samples.
protocol Instrument: AnyObject, Sendable {
  func samples(_ labels: [MetricFamily.Label]) -> [MetricFamily.Sample]
}

final class CounterInstrument: CounterHandler, Instrument {
  private let count = Atomic<Int64>(0)

  func increment(by amount: Int64) {
    guard amount > 0 else { return }
    count.wrappingAdd(amount, ordering: .relaxed)
  }

  func reset() { count.store(0, ordering: .relaxed) }

  func samples(_ labels: [MetricFamily.Label]) -> [MetricFamily.Sample] {
    [.init(labels, Double(count.load(ordering: .relaxed)))]
  }
}

final class FloatingPointCounterInstrument: FloatingPointCounterHandler, Instrument {
  private let sum = Mutex(0.0)

  func increment(by amount: Double) {
    guard amount > 0, amount.isFinite else { return }
    sum.withLock { $0 += amount }
  }

  func reset() { sum.withLock { $0 = 0 } }

  func samples(_ labels: [MetricFamily.Label]) -> [MetricFamily.Sample] {
    [.init(labels, sum.withLock { $0 })]
  }
}

/// A meter, or a recorder that keeps the last value alone.
final class GaugeInstrument: MeterHandler, RecorderHandler, Instrument {
  private let value = Mutex(0.0)

  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { self.value.withLock { $0 = value } }
  func increment(by amount: Double) { value.withLock { $0 += amount } }
  func decrement(by amount: Double) { value.withLock { $0 -= amount } }
  func record(_ value: Int64) { set(Double(value)) }
  func record(_ value: Double) { set(value) }

  func samples(_ labels: [MetricFamily.Label]) -> [MetricFamily.Sample] {
    [.init(labels, value.withLock { $0 })]
  }
}

/// A timer, in seconds, or a recorder that keeps the distribution of its values.
final class HistogramInstrument: TimerHandler, RecorderHandler, Instrument {
  /// From scans that take no time to those that take their time limit.
  static let secondsBounds = [
    0.0001, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
    600,
  ]
  /// Of values whose unit is not known.
  static let plainBounds = (0...9).flatMap { exponent in
    [1.0, 2.5, 5].map { $0 * (0..<exponent).reduce(1) { power, _ in power * 10 } }
  }

  private struct State {
    /// How many values were in each bucket alone; the last bucket has no bound.
    var counts: [UInt64]
    var sum = 0.0
  }

  private let bounds: [Double]
  private let state: Mutex<State>

  init(bounds: [Double]) {
    self.bounds = bounds
    state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    guard !value.isNaN else { return }
    let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
    state.withLock { state in
      state.counts[bucket] += 1
      state.sum += value
    }
  }

  func samples(_ labels: [MetricFamily.Label]) -> [MetricFamily.Sample] {
    let state = state.withLock { $0 }
    var total: UInt64 = 0
    var samples: [MetricFamily.Sample] = []
    for (bound, count) in zip(bounds + [.infinity], state.counts) {
      total += count
      samples.append(
        .init(
          suffix: "_bucket", labels + [.init("le", PrometheusText.number(bound))], Double(total)))
    }
    samples.append(.init(suffix: "_sum", labels, state.sum))
    samples.append(.init(suffix: "_count", labels, Double(total)))
    return samples
  }
}

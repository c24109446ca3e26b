import CoreMetrics
import Testing

@testable import SkyNetMetrics

@Suite("Prometheus's text")
struct PrometheusTextTests {
  private let registry = PrometheusRegistry()

  @Test("A counter has its help, its type, and a line for each set of labels, in order")
  func counters() async {
    Counter(
      label: "skynet_scans_total", dimensions: [("kind", "sources/3"), ("state", "retried")],
      factory: registry
    ).increment()
    let done = Counter(
      label: "skynet_scans_total", dimensions: [("kind", "sources/3"), ("state", "done")],
      factory: registry)
    done.increment(by: 2)
    done.increment(by: -7)
    #expect(
      await registry.text() == """
        # HELP skynet_scans_total The scans that ended in this process, by kind of scan: done, retried (an \
        error, and tried again), or cancelled.
        # TYPE skynet_scans_total counter
        skynet_scans_total{kind="sources/3",state="done"} 2
        skynet_scans_total{kind="sources/3",state="retried"} 1

        """)
  }

  @Test("Two counters of the same name and labels are one")
  func sameCounter() async {
    for _ in 0..<3 { Counter(label: "a", dimensions: [("b", "c")], factory: registry).increment() }
    #expect(await registry.text().contains("a_total{b=\"c\"} 3\n"))
  }

  @Test("A timer is a histogram in seconds, whose buckets count up to all values")
  func timers() async {
    let timer = Timer(label: "work", dimensions: [("kind", "x/1")], factory: registry)
    for nanoseconds: Int64 in [50_000, 3_000_000, 3_000_000, 2_000_000_000_000] {
      timer.recordNanoseconds(nanoseconds)
    }
    let text = await registry.text()
    #expect(text.contains("# TYPE work_seconds histogram\n"))
    #expect(text.contains("work_seconds_bucket{kind=\"x/1\",le=\"0.0001\"} 1\n"))
    #expect(text.contains("work_seconds_bucket{kind=\"x/1\",le=\"0.0025\"} 1\n"))
    #expect(text.contains("work_seconds_bucket{kind=\"x/1\",le=\"0.005\"} 3\n"))
    #expect(text.contains("work_seconds_bucket{kind=\"x/1\",le=\"600\"} 3\n"))
    #expect(text.contains("work_seconds_bucket{kind=\"x/1\",le=\"+Inf\"} 4\n"))
    #expect(text.contains("work_seconds_sum{kind=\"x/1\"} 2000.00605\n"))
    #expect(text.contains("work_seconds_count{kind=\"x/1\"} 4\n"))
  }

  @Test("Meters and recorders without distribution are gauges, and other recorders are histograms")
  func gauges() async {
    let meter = Meter(label: "level", factory: registry)
    meter.set(4)
    meter.decrement(by: 1.5)
    Recorder(label: "last", aggregate: false, factory: registry).record(7)
    Recorder(label: "sizes", factory: registry).record(30)
    let text = await registry.text()
    #expect(text.contains("# TYPE level gauge\nlevel 2.5\n"))
    #expect(text.contains("# TYPE last gauge\nlast 7\n"))
    #expect(text.contains("sizes_bucket{le=\"25\"} 0\nsizes_bucket{le=\"50\"} 1\n"))
  }

  @Test("Names and labels are made such that Prometheus takes them, and values are escaped")
  func names() async {
    Counter(
      label: "2 http.requests", dimensions: [("a-b", "say \"hi\"\\\n"), ("a.b", "second")],
      factory: registry
    ).increment()
    Timer(label: "t", dimensions: [("le", "mine")], factory: registry).recordNanoseconds(1)
    let text = await registry.text()
    #expect(text.contains("_2_http_requests_total{a_b=\"say \\\"hi\\\"\\\\\\n\"} 1\n"))
    #expect(text.contains("t_seconds_count{le_=\"mine\"} 1\n"))
  }

  @Test("A name has one type, and families of one name are one family")
  func oneFamily() async {
    Meter(label: "x_total", factory: registry).set(1)
    Counter(label: "x", factory: registry).increment()
    registry.collect { [.gauge("x_total", help: "other", 9), .gauge("y", help: "own\\\n", 3)] }
    registry.collect { [MetricFamily("y", .gauge, help: "own", [.init([.init("a", "b")], 4)])] }
    #expect(
      await registry.text() == """
        # HELP x_total Measured by this program's own code.
        # TYPE x_total gauge
        x_total 1
        # HELP y own\\\\\\n
        # TYPE y gauge
        y 3
        y{a="b"} 4

        """)
  }

  @Test("The number of series is bounded, and a destroyed one makes room")
  func bounded() async {
    let counters = (0..<PrometheusRegistry.seriesLimit + 5).map { number in
      Counter(label: "a", dimensions: [("n", "\(number)")], factory: registry)
    }
    func lines() async -> Int {
      await registry.text().split(separator: "\n").count { !$0.hasPrefix("#") }
    }
    #expect(await lines() == PrometheusRegistry.seriesLimit)
    counters[0].destroy()
    #expect(await lines() == PrometheusRegistry.seriesLimit - 1)
    Counter(label: "b", factory: registry).increment()
    #expect(await registry.text().contains("b_total 1\n"))
  }

  @Test(
    "Numbers are written as Prometheus reads them",
    arguments: [
      (0.0, "0"), (1e15, "1000000000000000"), (0.1, "0.1"), (-2.5, "-2.5"), (.infinity, "+Inf"),
      (-.infinity, "-Inf"), (.nan, "NaN"), (1e300, "1e+300"),
    ])
  func numbers(value: Double, text: String) {
    #expect(PrometheusText.number(value) == text)
  }
}

import SkyNetCommand
import SkyNetCore
import SkyNetMetrics

/// What a Prometheus is told of images, beside what it is told of every run and node.
enum ImageFigures {
  /// The images of runs over several.
  static func images(_ summaries: [EngagementSummary]) -> [MetricFamily] {
    ClusterFigures.parts(
      of: summaries, "skynet_images",
      help: "The images of this process's runs over several: done, failed, or left to do.")
  }

  /// - Parameters:
  ///   - readBytes: the bytes of pixels and weights that the node has read itself.
  ///   - cache: what it keeps of pixels; `nil` if it keeps none.
  static func data(readBytes: Int, cache: CacheFigures?) -> [MetricFamily] {
    [
      .counter(
        "skynet_referenced_bytes_total",
        help: "The bytes of pixels that this node has read from files instead of being sent them.",
        Double(readBytes))
    ] + (cache.map(Self.cache) ?? [])
  }

  private static func cache(_ figures: CacheFigures) -> [MetricFamily] {
    [
      .gauge(
        "skynet_pixel_cache_bytes",
        help: "The bytes of pixels that this node keeps for the passes that follow.",
        Double(figures.bytes)),
      .counter(
        "skynet_pixel_cache_hits_total", help: "How often kept pixels were used.",
        Double(figures.hits)),
      .counter(
        "skynet_pixel_cache_misses_total",
        help: "How often pixels that should have been kept were not there, and were sent again.",
        Double(figures.misses)),
    ]
  }
}

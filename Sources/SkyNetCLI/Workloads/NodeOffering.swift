import ArgumentParser
import SkyNetCore
import SkyNetMetrics

/// What `skynet node` takes for a workload: its options, of which the node's scans are made.
protocol NodeOffering: ParsableArguments {
  /// Options of it, for the examples in the help.
  static var examples: [String] { get }

  /// - Parameter files: the node's own files, such as its key, which no scan may read.
  /// - Throws: an error with the reason if the options cannot be followed, such as a missing directory.
  func offer(withholding files: [String]) throws -> NodeOffer
}

extension NodeOffering {
  static var examples: [String] { [] }
}

/// What a node offers for its workloads while it runs.
struct NodeOffer: Sendable {
  let scans: [any Scan]
  /// Figures for Prometheus, looked up at each request.
  var figures: @Sendable () -> [MetricFamily] = { [] }
  /// Drops what is kept for engagements that have ended. Returns whether there was something.
  var dropUnused: @Sendable () -> Bool = { false }
  /// Frees what is kept for the next scans.
  var freeSpare: @Sendable () -> Void = {}

  static func + (first: NodeOffer, second: NodeOffer) -> NodeOffer {
    NodeOffer(
      scans: first.scans + second.scans, figures: { first.figures() + second.figures() },
      dropUnused: {
        let (one, other) = (first.dropUnused(), second.dropUnused())
        return one || other
      },
      freeSpare: {
        first.freeSpare()
        second.freeSpare()
      })
  }
}

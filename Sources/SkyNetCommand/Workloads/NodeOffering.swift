public import ArgumentParser
public import SkyNetCore
package import SkyNetMetrics

/// What `skynet node` takes for a workload: its options, of which the node's scans are made.
public protocol NodeOffering: ParsableArguments {
  /// The options that were given, as words for a node on another machine, with absolute paths.
  var arguments: [String] { get }
  /// Options of it, for the examples in the help.
  static var examples: [String] { get }

  /// - Parameter files: the node's own files, such as its key, which no scan may read.
  /// - Throws: an error with the reason if the options cannot be followed, such as a missing directory.
  func offer(withholding files: [String]) throws -> NodeOffer
}

extension NodeOffering {
  public static var examples: [String] { [] }
}

/// What a node offers for its workloads while it runs.
public struct NodeOffer: Sendable {
  /// The scans that the node runs for programs that engage it.
  public let scans: [any Scan]
  /// Figures for Prometheus, looked up at each request.
  package var figures: @Sendable () -> [MetricFamily] = { [] }
  /// Drops what is kept for engagements that have ended. Returns whether there was something.
  public var dropUnused: @Sendable () -> Bool = { false }
  /// Frees what is kept for the next scans.
  public var freeSpare: @Sendable () -> Void = {}

  /// Makes an offer, by default of scans that keep nothing in memory that could be dropped or freed.
  public init(
    scans: [any Scan], dropUnused: @escaping @Sendable () -> Bool = { false },
    freeSpare: @escaping @Sendable () -> Void = {}
  ) {
    (self.scans, self.dropUnused, self.freeSpare) = (scans, dropUnused, freeSpare)
  }

  /// All scans of two offers. What drops or frees memory does so for both.
  public static func + (first: NodeOffer, second: NodeOffer) -> NodeOffer {
    var both = NodeOffer(
      scans: first.scans + second.scans,
      dropUnused: {
        let (one, other) = (first.dropUnused(), second.dropUnused())
        return one || other
      },
      freeSpare: {
        first.freeSpare()
        second.freeSpare()
      })
    both.figures = { first.figures() + second.figures() }
    return both
  }
}

/// What a node offers for a workload that has no options for nodes: its scans.
public struct PlainOffering<W: Workload>: NodeOffering {
  public init() {}

  public var arguments: [String] { [] }

  public func offer(withholding files: [String]) -> NodeOffer { NodeOffer(scans: W.scans) }
}

/// One metric as Prometheus has it: a name, what it means, and a sample for each set of labels.
package struct MetricFamily: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case counter, gauge, histogram
  }

  package struct Label: Hashable, Sendable {
    let name: String
    let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package struct Sample: Hashable, Sendable {
    /// What follows the family's name, as `_bucket` does in a histogram; else empty.
    let suffix: String
    let labels: [Label]
    let value: Double

    package init(suffix: String = "", _ labels: [Label], _ value: Double) {
      self.suffix = suffix
      self.labels = labels
      self.value = value
    }
  }

  let name: String
  let kind: Kind
  let help: String
  var samples: [Sample]

  package init(_ name: String, _ kind: Kind, help: String, _ samples: [Sample]) {
    self.name = name
    self.kind = kind
    self.help = help
    self.samples = samples
  }

  /// A gauge without labels.
  package static func gauge(_ name: String, help: String, _ value: Double) -> MetricFamily {
    MetricFamily(name, .gauge, help: help, [Sample([], value)])
  }

  /// A counter without labels.
  package static func counter(_ name: String, help: String, _ value: Double) -> MetricFamily {
    MetricFamily(name, .counter, help: help, [Sample([], value)])
  }
}

/// Prometheus's text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
package enum PrometheusText {
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The families by name, each with its HELP and TYPE lines before its samples. A family without samples is
  /// left out.
  package static func text(_ families: [MetricFamily]) -> String {
    var text = ""
    for family in families.sorted(by: { $0.name < $1.name }) where !family.samples.isEmpty {
      text += "# HELP \(family.name) \(escaped(help: family.help))\n"
      text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
      for sample in family.samples {
        text += family.name
        text += sample.suffix
        add(sample.labels, to: &text)
        text += " \(number(sample.value))\n"
      }
    }
    return text
  }

  private static func add(_ labels: [MetricFamily.Label], to text: inout String) {
    guard !labels.isEmpty else { return }
    text += "{"
    for (index, label) in labels.enumerated() {
      if index > 0 { text += "," }
      text += "\(label.name)=\"\(escaped(value: label.value))\""
    }
    text += "}"
  }

  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    // Counts are whole, and are read without a fraction.
    return Int(exactly: value).map(String.init) ?? "\(value)"
  }

  private static func escaped(help: String) -> String {
    help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }

  private static func escaped(value: String) -> String {
    escaped(help: value).replacing("\"", with: "\\\"")
  }

  // MARK: Names

  /// The text as a metric's name: `http.requests` becomes `http_requests`.
  static func metricName(_ text: String) -> String { name(text, alsoAllows: ":") }

  /// The text as a label's name.
  static func labelName(_ text: String) -> String { name(text, alsoAllows: "_") }

  private static func name(_ text: String, alsoAllows other: Unicode.Scalar) -> String {
    var name = ""
    for scalar in text.unicodeScalars {
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      let isDigit = ("0"..."9").contains(scalar)
      if isDigit, name.isEmpty { name += "_" }
      name.unicodeScalars.append(
        isLetter || isDigit || scalar == "_" || scalar == other ? scalar : "_")
    }
    return name.isEmpty ? "_" : name
  }
}

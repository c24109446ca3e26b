import SkyNetCluster
import SkyNetCore

/// Server-sent events, each with a name and a line of JSON (HTML Standard, section 9.2).
package struct EventBytes: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Adds an event. `body` writes its object.
  mutating func add(_ name: StaticString, _ body: (inout PlainJSON) -> Void) {
    var line = PlainJSON(after: &bytes)
    line.add(syntax: "event: ")
    line.add(syntax: name)
    line.add(syntax: "\ndata: ")
    body(&line)
    line.add(syntax: "\n\n")
    line.take(into: &bytes)
  }

  /// Adds the first event of a stream.
  mutating func addHello(kind: String, name: String, journal: String?) {
    add("hello") { line in
      line.add(syntax: "{")
      line.add(key: "v", 1, isFirst: true)
      line.add(key: "kind", kind)
      line.add(key: "software", SkyNetVersion.software)
      line.add(key: "name", name)
      line.add(key: "lost", 0)
      line.add(key: "journal", journal)
      line.add(syntax: "}")
    }
  }
}

extension PlainJSON {
  /// Adds `"key":`, after a comma unless it comes first in its object.
  mutating func add(key: StaticString, isFirst: Bool = false) {
    add(syntax: isFirst ? "\"" : ",\"")
    add(syntax: key)
    add(syntax: "\":")
  }

  mutating func add(key: StaticString, _ value: Int, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    add(number: value)
  }

  mutating func add(key: StaticString, _ value: String?, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    if let value { add(string: value) } else { add(syntax: "null") }
  }

  /// A number with at most six decimals.
  mutating func add(key: StaticString, _ value: Double?, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    if let value, value.isFinite { add(microsecondsOf: value) } else { add(syntax: "null") }
  }

  mutating func add(key: StaticString, isTrue: Bool) {
    add(key: key)
    add(syntax: isTrue ? "true" : "false")
  }

  /// Adds an array. `body` adds an element.
  mutating func add<Elements: Sequence>(
    _ elements: Elements, _ body: (inout PlainJSON, Elements.Element) -> Void
  ) {
    add(syntax: "[")
    var isFirst = true
    for element in elements {
      if !isFirst { add(syntax: ",") }
      isFirst = false
      body(&self, element)
    }
    add(syntax: "]")
  }

  /// Adds an array of whole numbers.
  mutating func add(numbers: some Sequence<Int>) {
    add(numbers) { $0.add(number: $1) }
  }
}

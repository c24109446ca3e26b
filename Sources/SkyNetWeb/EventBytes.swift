import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// Server-sent events, each with a name and a line of JSON (HTML Standard, section 9.2).
package struct EventBytes: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Adds an event. `body` writes its object.
  ///
  /// - Parameter name: letters alone.
  mutating func add(_ name: String, _ body: (inout PlainJSON) -> Void) {
    var line = PlainJSON(after: &bytes)
    line.add(syntax: "event: ")
    line.add(json: name.utf8)
    line.add(syntax: "\ndata: ")
    body(&line)
    line.add(syntax: "\n\n")
    line.take(into: &bytes)
  }

  /// Adds the first event of a stream.
  mutating func addHello(kind: String, name: String, journal: String?, words: RunWords) {
    add("hello") { line in
      line.add(syntax: "{")
      line.add(key: "v", 1, isFirst: true)
      line.add(key: "kind", kind)
      line.add(key: "software", SkyNetVersion.software)
      line.add(key: "program", ProgramName.text)
      line.add(key: "name", name)
      line.add(key: "journal", journal)
      line.add(key: "words")
      line.add(words)
      line.add(syntax: "}")
    }
  }
}

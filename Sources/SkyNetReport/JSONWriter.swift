import SkyNetCluster
import SkyNetCore
import SkyNetViews

/// Writes JSON that may stand in a page's script, with the commas where they belong.
struct JSONWriter {
  private var json = PlainJSON()
  /// Whether the next value or key is the first of its object or array.
  private var isFirst = true

  var bytes: [UInt8] { json.bytes }

  private mutating func separate() {
    if !isFirst { json.add(syntax: ",") }
    isFirst = false
  }

  mutating func key(_ key: StaticString) {
    json.add(key: key, isFirst: isFirst)
    isFirst = true
  }

  /// A key that is made of the run's words.
  mutating func key(word: String) {
    json.add(word: word, isFirst: isFirst)
    isFirst = true
  }

  mutating func object(_ body: (inout JSONWriter) -> Void) { nest("{", "}", body) }

  mutating func array(_ body: (inout JSONWriter) -> Void) { nest("[", "]", body) }

  private mutating func nest(
    _ open: StaticString, _ close: StaticString, _ body: (inout JSONWriter) -> Void
  ) {
    separate()
    json.add(syntax: open)
    isFirst = true
    body(&self)
    json.add(syntax: close)
    isFirst = false
  }

  mutating func value(_ number: Int) {
    separate()
    json.add(number: number)
  }

  mutating func value(_ number: Float) {
    separate()
    json.add(json: (number.isFinite ? "\(number)" : "0").utf8)
  }

  mutating func value(_ number: Double) {
    separate()
    json.add(json: (number.isFinite ? "\(number)" : "0").utf8)
  }

  mutating func null() {
    separate()
    json.add(syntax: "null")
  }

  mutating func value(_ flag: Bool) {
    separate()
    json.add(syntax: flag ? "true" : "false")
  }

  mutating func value(_ text: String) {
    separate()
    json.add(stringInScript: text)
  }

  // MARK: Members

  mutating func add(_ name: StaticString, _ number: Int) {
    key(name)
    value(number)
  }

  mutating func add(_ name: StaticString, _ text: String) {
    key(name)
    value(text)
  }

  mutating func add(_ name: StaticString, _ number: Int?) {
    key(name)
    if let number { value(number) } else { null() }
  }

  mutating func add(_ name: StaticString, _ text: String?) {
    key(name)
    if let text { value(text) } else { null() }
  }

  mutating func add(_ name: StaticString, _ words: RunWords) {
    key(name)
    separate()
    json.add(words)
  }

  mutating func add(_ name: StaticString, _ curve: RunCurve) {
    key(name)
    separate()
    json.add(curve.changes())
  }

  mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  mutating func list<Values: Sequence>(
    _ name: StaticString, _ values: Values, _ body: (inout JSONWriter, Values.Element) -> Void
  ) {
    key(name)
    array { json in for value in values { body(&json, value) } }
  }

  mutating func add(_ name: StaticString, _ texts: [String]) {
    list(name, texts) { $0.value($1) }
  }

  /// A column of numbers; one number if all of them are equal.
  mutating func column(_ name: StaticString, _ numbers: some Collection<Int>) {
    key(name)
    if let first = numbers.first, numbers.allSatisfy({ $0 == first }) { return value(first) }
    array { json in for number in numbers { json.value(number) } }
  }

  /// A column of numbers, however equal they are.
  mutating func add(_ name: StaticString, _ numbers: some Collection<Int>) {
    list(name, numbers) { $0.value($1) }
  }
}

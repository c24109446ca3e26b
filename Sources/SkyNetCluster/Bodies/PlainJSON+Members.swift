import SkyNetCore

/// Members of objects, and arrays.
extension PlainJSON {
  /// Adds `"key":`, after a comma unless it comes first in its object.
  package mutating func add(key: StaticString, isFirst: Bool = false) {
    add(syntax: isFirst ? "\"" : ",\"")
    add(syntax: key)
    add(syntax: "\":")
  }

  /// Adds `"word":` for a word of the run's ``RunWords``, whose letters need no escapes.
  package mutating func add(word: String, isFirst: Bool = false) {
    add(syntax: isFirst ? "\"" : ",\"")
    add(json: word.utf8)
    add(syntax: "\":")
  }

  package mutating func add(word: String, _ value: String) {
    add(word: word)
    add(string: value)
  }

  package mutating func add(key: StaticString, _ value: Int, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    add(number: value)
  }

  package mutating func add(key: StaticString, _ value: String?, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    if let value { add(string: value) } else { add(syntax: "null") }
  }

  /// Adds a number with at most six decimals; `null` if it is not finite.
  package mutating func add(key: StaticString, _ value: Double?, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    if let value, value.isFinite { add(microsecondsOf: value) } else { add(syntax: "null") }
  }

  package mutating func add(key: StaticString, isTrue: Bool) {
    add(key: key)
    add(syntax: isTrue ? "true" : "false")
  }

  package mutating func add(key: StaticString, _ values: [String]) {
    add(key: key)
    add(values) { $0.add(string: $1) }
  }

  /// Adds an array. `body` adds an element.
  package mutating func add<Elements: Sequence>(
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
  package mutating func add(numbers: some Sequence<Int>) {
    add(numbers) { $0.add(number: $1) }
  }
}

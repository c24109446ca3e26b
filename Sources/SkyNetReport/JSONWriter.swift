/// Writes JSON that may stand in a page: `<` is escaped, so that no text ends the script that it is in.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// Whether the next value or key is the first of its object or array.
  private var isFirst = true

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  private mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  mutating func key(_ key: StaticString) {
    separate()
    add("\"")
    add(key)
    add("\":")
    isFirst = true
  }

  mutating func object(_ body: (inout JSONWriter) -> Void) { nest("{", "}", body) }

  mutating func array(_ body: (inout JSONWriter) -> Void) { nest("[", "]", body) }

  private mutating func nest(
    _ open: StaticString, _ close: StaticString, _ body: (inout JSONWriter) -> Void
  ) {
    separate()
    add(open)
    isFirst = true
    body(&self)
    add(close)
    isFirst = false
  }

  mutating func value(_ number: Int) {
    separate()
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var (rest, start) = (number.magnitude, bytes.count)
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
    start = bytes.count
  }

  mutating func value(_ number: Float) {
    separate()
    bytes.append(contentsOf: (number.isFinite ? "\(number)" : "0").utf8)
  }

  mutating func value(_ number: Double) {
    separate()
    bytes.append(contentsOf: (number.isFinite ? "\(number)" : "0").utf8)
  }

  mutating func null() {
    separate()
    add("null")
  }

  mutating func value(_ flag: Bool) {
    separate()
    if flag { add("true") } else { add("false") }
  }

  mutating func value(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20, 0x7f, UInt8(ascii: "<"):
        add("\\u00")
        bytes.append(Self.hexadecimal[Int(byte >> 4)])
        bytes.append(Self.hexadecimal[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
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

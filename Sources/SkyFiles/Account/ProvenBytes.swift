package import Foundation

/// What a proof is for, as bytes that say all that is asked for: no two requests are the same bytes.
package struct ProvenBytes: Hashable, Sendable {
  private(set) var bytes: [UInt8] = []

  /// - Parameter kind: what is asked for: no proof for a file is one for a program.
  package init(_ kind: String) { add(kind) }

  package mutating func add(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

  package mutating func add(_ isTrue: Bool) { add(isTrue ? 1 : 0) }

  package mutating func add(_ text: String) {
    // With its length first, no two lists of texts are the same bytes.
    add(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func add(_ data: Data) {
    add(data.count)
    bytes.append(contentsOf: data)
  }

  /// Adds whether there is a value, and the value.
  package mutating func add<Value>(_ value: Value?, _ add: (inout ProvenBytes, Value) -> Void) {
    self.add(value != nil)
    if let value { add(&self, value) }
  }

  package mutating func add<Value>(
    all values: some Collection<Value>, _ add: (inout ProvenBytes, Value) -> Void
  ) {
    self.add(values.count)
    for value in values { add(&self, value) }
  }
}

/// Code that reads bytes from unauthenticated peers. `docs/testing.md` says how each target reads
/// its input.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// The bytes of a connection, decoded up to whole messages.
  case frames
  /// The bodies of messages, as JSON.
  case hello, goodbye, failure
  /// The bodies of messages with bulk bytes.
  case task, result, status
  /// A DNS-SD TXT record.
  case txt
  /// Texts: endpoints, kinds of scan, incarnations, service names.
  case names
  /// A sector's pixels and settings, scanned for sources.
  case sources
  /// Packed pixels.
  case packed

  /// Runs the target on these bytes. The target may refuse its input; a crash or a ``Violation`` is
  /// a finding.
  package func run(_ input: [UInt8]) throws {
    switch self {
    case .frames: try checkFrames(input)
    case .hello: try checkHello(input)
    case .goodbye: try checkGoodbye(input)
    case .failure: try checkFailure(input)
    case .task: try checkTask(input)
    case .result: try checkResult(input)
    case .status: try checkStatus(input)
    case .txt: try checkTXTRecord(input)
    case .names: try checkNames(input)
    case .sources: try checkSources(input)
    case .packed: try checkPacked(input)
    }
  }
}

/// A property that is violated by an input.
package struct Violation: Error, CustomStringConvertible {
  package let description: String
}

/// - Throws: ``Violation`` unless the condition holds.
func expect(_ condition: Bool, _ property: @autoclosure () -> String) throws(Violation) {
  if !condition { throw Violation(description: property()) }
}

/// - Throws: ``Violation`` unless the two are equal.
func expectEqual<Value: Equatable>(
  _ one: Value, _ other: Value, _ property: @autoclosure () -> String
) throws(Violation) {
  if one != other { throw Violation(description: "\(property()): \(one) is not \(other)") }
}

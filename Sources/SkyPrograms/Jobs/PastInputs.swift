import SkyFiles
package import SkyNetCore

/// What earlier processes of a run recorded of its inputs.
package struct PastInputs: Sendable {
  package struct Input: Sendable {
    package let part: JobPart
    package let facts: InputFacts
    /// Whether its program has done its work.
    package let isDone: Bool
  }

  /// By their texts, the last one first: inputs may be equal.
  private var inputs: [ExactText: [Input]] = [:]

  package init(_ parts: [JobPart] = []) {
    for part in parts.reversed() {
      guard let facts = InputFacts(part.facts), part.sectors.count == 1 else { continue }
      let outcome = part.outcome.flatMap { InputOutcome($0) }
      inputs[ExactText(facts.text), default: []].append(
        Input(part: part, facts: facts, isDone: outcome?.state == .done))
    }
  }

  package var isEmpty: Bool { inputs.isEmpty }
  package var all: some Sequence<Input> { inputs.values.lazy.joined() }

  /// The first input with a text.
  package func first(_ text: String) -> Input? { inputs[ExactText(text)]?.last }

  /// Takes the first input with a text away.
  mutating func take(_ text: String) -> Input? { inputs[ExactText(text)]?.popLast() }
}

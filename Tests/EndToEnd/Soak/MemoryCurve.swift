/// A process's memory as a function of the work that it has done.
struct MemoryCurve {
  private var samples: [(done: Int, kibibytes: Int)] = []

  mutating func add(_ kibibytes: Int?, after done: Int) {
    if let kibibytes { samples.append((done, kibibytes)) }
  }

  /// Whether the peak after the first twentieth of the work is less than a fifth and 4 MiB above
  /// the peak before: buffers reach their size early, and nothing grows with the tasks.
  var isFlat: Bool {
    guard let early, let late else { return false }
    return late * 5 < early * 6 + 5 * 4096
  }

  private var total: Int { samples.last?.done ?? 0 }
  private var early: Int? { samples.filter { $0.done <= total / 20 }.map(\.kibibytes).max() }
  private var late: Int? { samples.filter { $0.done > total / 20 }.map(\.kibibytes).max() }

  /// For people.
  var text: String {
    let tenths = (1...10).compactMap { tenth in
      samples.last { $0.done <= total * tenth / 10 }.map { Memory.text($0.kibibytes) }
    }
    return "at most \(Memory.text(early ?? 0)) in the first 5 %, \(Memory.text(late ?? 0)) later; "
      + "after each tenth: " + tenths.joined(separator: ", ")
  }
}

/// A process's memory over the tasks that it has done.
struct MemoryCurve {
  private var samples: [(tasks: Int, kibibytes: Int)] = []

  mutating func add(_ kibibytes: Int?, after tasks: Int) {
    if let kibibytes { samples.append((tasks, kibibytes)) }
  }

  /// Whether the most that it had after the first twentieth of the tasks is less than a fifth and
  /// 4 MiB above the most that it had before: buffers reach their size early, and nothing grows
  /// with the tasks.
  func isFlat(of total: Int) -> Bool {
    guard let early = early(of: total), let late = late(of: total) else { return false }
    return late * 5 < early * 6 + 5 * 4096
  }

  private func early(of total: Int) -> Int? {
    samples.filter { $0.tasks <= total / 20 }.map(\.kibibytes).max()
  }
  private func late(of total: Int) -> Int? {
    samples.filter { $0.tasks > total / 20 }.map(\.kibibytes).max()
  }

  /// For people.
  func text(of total: Int) -> String {
    let tenths = (1...10).compactMap { tenth in
      samples.last { $0.tasks <= total * tenth / 10 }.map { Memory.text($0.kibibytes) }
    }
    return "at most \(Memory.text(early(of: total) ?? 0)) in the first 5 %, "
      + "\(Memory.text(late(of: total) ?? 0)) later; after each tenth: "
      + tenths.joined(separator: ", ")
  }
}

/// The parts of a growing job that have not ended, with how many of their tasks are left. A part is
/// over when none is left. Its sectors may then lack a result, as tasks of later passes were not made.
package struct OpenParts: Sendable {
  /// Few parts are open at a time.
  private var open: [(part: JobPart, tasks: Int)] = []

  package init() {}

  package func name(of sector: Int) -> String? {
    index(of: sector).map { open[$0].part.name }
  }

  private func index(of sector: Int) -> Int? {
    open.firstIndex { $0.part.sectors.contains(sector) }
  }

  package mutating func began(_ part: JobPart) { open.append((part, 0)) }

  /// The job has added tasks, all of one part.
  package mutating func added(_ tasks: [TaskRange]) {
    guard let sector = tasks.lazy.compactMap(\.sectors.first).first, let index = index(of: sector)
    else { return }
    open[index].tasks += tasks.reduce(0) { $0 + $1.sectors.count }
  }

  /// A task has ended. Returns its part if that was the last of the part's tasks.
  package mutating func ended(_ task: TaskID) -> JobPart? {
    guard let index = index(of: task.sector) else { return nil }
    open[index].tasks -= 1
    return open[index].tasks == 0 ? open[index].part : nil
  }

  package mutating func ended(_ part: JobPart) {
    open.removeAll { $0.part.number == part.number }
  }
}

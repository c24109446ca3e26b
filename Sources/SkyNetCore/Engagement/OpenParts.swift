/// The parts of a growing job that have not ended, with how many of their tasks are left.
///
/// A part is over when none of its tasks is left, whatever became of them. Sectors of it may then lack a result,
/// because a task of a later pass was never made.
package struct OpenParts: Sendable {
  private struct OpenPart {
    let part: JobPart
    var tasks = 0
  }

  /// Few parts are open at a time.
  private var open: [OpenPart] = []

  package init() {}

  /// The name of the open part that a sector belongs to; `nil` if there is none.
  package func name(of sector: Int) -> String? {
    index(of: sector).map { open[$0].part.name }
  }

  private func index(of sector: Int) -> Int? {
    open.firstIndex { $0.part.sectors.contains(sector) }
  }

  /// The job has added a part.
  package mutating func began(_ part: JobPart) { open.append(OpenPart(part: part)) }

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

  /// A part has ended.
  package mutating func ended(_ part: JobPart) {
    open.removeAll { $0.part.number == part.number }
  }
}

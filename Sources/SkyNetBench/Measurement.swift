/// What an event costs in a cluster of one size.
struct Measurement: CustomStringConvertible {
  private let systems: Int
  private let slots: Int
  private let play: Play

  init(systems: Int, slots: Int, tasks: Int) throws {
    (self.systems, self.slots) = (systems, slots)
    var play = Play(systems: systems, slots: slots, tasks: tasks)
    try play.run()
    self.play = play
  }

  private var costs: [(name: String, nanoseconds: Double)] {
    let (engagement, roster) = (play.engagement, play.roster)
    let together = (engagement.elapsed + roster.elapsed)
    return [
      ("engagement", engagement.nanoseconds), ("roster", roster.nanoseconds),
      ("together", together / .nanoseconds(engagement.count + roster.count)),
    ]
  }

  var description: String {
    let costs = costs.map { "\($0.name) \(Int($0.nanoseconds.rounded())) ns" }
    return """
      \(systems) systems of \(slots) slots, \(play.counts)
        \(play.engagement.count) events of the engagement, \(play.roster.count) of the roster
        an event: \(costs.joined(separator: ", "))
      """
  }

  func compared(to small: Measurement) -> String {
    let ratios = zip(costs, small.costs).map { large, small in
      "\(large.name) \((large.nanoseconds / small.nanoseconds * 100).rounded() / 100)"
    }
    return "ratio: \(ratios.joined(separator: ", "))"
  }
}

/// The cost of an event in a cluster of one size.
struct Measurement: CustomStringConvertible {
  private let systems: Int
  private let slots: Int
  private let simulation: SimulatedEngagement

  init(systems: Int, slots: Int, tasks: Int) throws {
    (self.systems, self.slots) = (systems, slots)
    var simulation = SimulatedEngagement(systems: systems, slots: slots, tasks: tasks)
    try simulation.run()
    self.simulation = simulation
  }

  private var costs: [(name: String, nanoseconds: Double)] {
    let (engagement, roster) = (simulation.engagement, simulation.roster)
    let together = (engagement.elapsed + roster.elapsed)
    return [
      ("engagement", engagement.nanoseconds), ("roster", roster.nanoseconds),
      ("together", together / .nanoseconds(engagement.count + roster.count)),
    ]
  }

  var description: String {
    let costs = costs.map { "\($0.name) \(Int($0.nanoseconds.rounded())) ns" }
    return """
      \(systems) systems of \(slots) slots, \(simulation.counts)
        \(simulation.engagement.count) events of the engagement, \(simulation.roster.count) of the roster
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

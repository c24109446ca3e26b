/// What did not hold and should. A class, so that whoever finds something may be looking at itself.
final class Findings {
  private(set) var violations: [String] = []

  func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { violations.append(message()) }
  }
}

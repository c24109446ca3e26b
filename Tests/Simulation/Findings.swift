/// The violations that the ledger found. It is a class, so that code can add to it while it reads
/// the value that owns it.
final class Findings {
  private(set) var violations: [String] = []

  func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { violations.append(message()) }
  }
}

import SkyNetCore

/// Counts the primes of a hundred thousand numbers.
struct Primes: Scan {
  static let kind = ScanKind(name: "primes", version: 1)

  /// - Parameters:
  ///   - first: the first number.
  ///   - limit: all numbers are below it.
  func run(_ first: Int, settings limit: Int) async throws -> UInt32 {
    var count: UInt32 = 0
    for number in stride(from: first, to: limit, by: 1).prefix(100_000) where isPrime(number) {
      // A cancelled scan frees its slot soon.
      try Task.checkCancellation()
      count += 1
    }
    return count
  }

  private func isPrime(_ number: Int) -> Bool {
    guard number > 3 else { return number > 1 }
    var divisor = 2
    while divisor <= number / divisor {
      if number.isMultiple(of: divisor) { return false }
      divisor += 1
    }
    return true
  }
}

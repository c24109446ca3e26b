public import SkyNetKit

/// Counts the primes of a range of numbers.
public struct Primes: Scan {
  public static let kind = ScanKind(name: "primes", version: 1)

  public init() {}

  public func run(_ range: Range<Int>, settings: NoSettings) async throws -> Int {
    var count = 0
    for number in range where isPrime(number) {
      // A cancelled scan frees its slot soon.
      try Task.checkCancellation()
      count += 1
    }
    return count
  }

  private func isPrime(_ number: Int) -> Bool {
    guard number > 3 else { return number > 1 }
    var divisor = 2
    while divisor * divisor <= number {
      if number.isMultiple(of: divisor) { return false }
      divisor += 1
    }
    return true
  }
}

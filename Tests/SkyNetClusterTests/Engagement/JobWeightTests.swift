import Testing

@testable import SkyNetCluster

@Suite("How heavy a job is")
struct JobWeightTests {
  private let weight = JobWeight()

  private func take(_ count: Int, _ duration: Duration) {
    for _ in 0..<count { weight.took(duration) }
  }

  @Test("It is light when its code has returned at once for a while")
  func light() {
    #expect(!weight.isLight)
    take(63, .microseconds(10))
    #expect(!weight.isLight)
    take(1, .microseconds(10))
    #expect(weight.isLight)
  }

  @Test("One call that took its time makes it heavy, for as long again")
  func heavy() {
    take(1000, .microseconds(10))
    take(1, .milliseconds(1))
    #expect(!weight.isLight)
    take(64, .microseconds(10))
    #expect(weight.isLight)
  }
}

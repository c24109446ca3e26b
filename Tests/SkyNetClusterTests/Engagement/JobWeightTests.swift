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
    take(63, .zero)
    #expect(!weight.isLight)
    take(1, .zero)
    #expect(weight.isLight)
  }

  @Test("It stays light though its thread had to stand back now and then")
  func hiccups() {
    take(1000, .microseconds(10))
    for _ in 1...100 {
      take(100, .microseconds(10))
      take(1, .milliseconds(3))
      #expect(weight.isLight)
    }
  }

  @Test("One call that took its time makes it heavy, and so do many that took a little")
  func heavy() {
    take(1000, .microseconds(10))
    take(1, .seconds(100_000))
    #expect(!weight.isLight)
    take(64, .zero)
    #expect(weight.isLight)
    take(1000, .microseconds(60))
    #expect(!weight.isLight)
  }
}

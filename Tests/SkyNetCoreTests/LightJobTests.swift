import SkyNetCore
import TestSupport
import Testing

@Suite("The bucket for a job's code", .inTurn)
struct LightJobTests {
  private var bucket = LeakyBucket.jobCode

  private mutating func add(_ count: Int, _ duration: Duration) {
    for _ in 0..<count { bucket.add(duration) }
  }

  @Test("A job is light after its code has returned at once for a while")
  mutating func light() {
    #expect(!bucket.isAtMostHalfFull)
    add(63, .zero)
    #expect(!bucket.isAtMostHalfFull)
    add(1, .zero)
    #expect(bucket.isAtMostHalfFull)
  }

  @Test("A job stays light although its thread is preempted now and then")
  mutating func hiccups() {
    add(1000, .microseconds(10))
    for _ in 1...100 {
      add(100, .microseconds(10))
      add(1, .milliseconds(3))
      #expect(bucket.isAtMostHalfFull)
    }
  }

  @Test("A job is no longer light after one long call, or after many slightly long ones")
  mutating func heavy() {
    add(1000, .microseconds(10))
    add(1, .seconds(100_000))
    #expect(!bucket.isAtMostHalfFull)
    add(64, .zero)
    #expect(bucket.isAtMostHalfFull)
    add(1000, .microseconds(60))
    #expect(!bucket.isAtMostHalfFull)
  }
}

import TestSupport
import Testing

@testable import SkyNetCluster

@Suite("The bucket for a job's code", .inTurn)
struct JobCodeBucketTests {
  private let bucket = JobCodeBucket()

  private func add(_ count: Int, _ duration: Duration) {
    for _ in 0..<count { bucket.add(duration) }
  }

  @Test("A job is light after its code has returned at once for a while")
  func light() {
    #expect(!bucket.isLight)
    add(63, .zero)
    #expect(!bucket.isLight)
    add(1, .zero)
    #expect(bucket.isLight)
  }

  @Test("A job stays light although its thread is preempted now and then")
  func hiccups() {
    add(1000, .microseconds(10))
    for _ in 1...100 {
      add(100, .microseconds(10))
      add(1, .milliseconds(3))
      #expect(bucket.isLight)
    }
  }

  @Test("A job is no longer light after one long call, or after many slightly long ones")
  func heavy() {
    add(1000, .microseconds(10))
    add(1, .seconds(100_000))
    #expect(!bucket.isLight)
    add(64, .zero)
    #expect(bucket.isLight)
    add(1000, .microseconds(60))
    #expect(!bucket.isLight)
  }
}

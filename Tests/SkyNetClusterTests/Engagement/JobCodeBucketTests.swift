import Testing

@testable import SkyNetCluster

@Suite("How heavy a job is")
struct JobCodeBucketTests {
  private let bucket = JobCodeBucket()

  private func take(_ count: Int, _ duration: Duration) {
    for _ in 0..<count { bucket.add(duration) }
  }

  @Test("It is light when its code has returned at once for a while")
  func light() {
    #expect(!bucket.isLight)
    take(63, .zero)
    #expect(!bucket.isLight)
    take(1, .zero)
    #expect(bucket.isLight)
  }

  @Test("It stays light though its thread had to stand back now and then")
  func hiccups() {
    take(1000, .microseconds(10))
    for _ in 1...100 {
      take(100, .microseconds(10))
      take(1, .milliseconds(3))
      #expect(bucket.isLight)
    }
  }

  @Test("One call that took its time makes it heavy, and so do many that took a little")
  func heavy() {
    take(1000, .microseconds(10))
    take(1, .seconds(100_000))
    #expect(!bucket.isLight)
    take(64, .zero)
    #expect(bucket.isLight)
    take(1000, .microseconds(60))
    #expect(!bucket.isLight)
  }
}

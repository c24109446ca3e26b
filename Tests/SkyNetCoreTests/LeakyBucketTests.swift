import SkyNetCore
import Testing

@Suite("The leaky bucket of scans that call themselves brief")
struct LeakyBucketTests {
  @Test("The bucket forgives rare hiccups, and overflows once when slow scans took a second in all")
  func hiccups() {
    var bucket = LeakyBucket()
    for _ in 1...100 {
      let isLast = bucket.add(.milliseconds(900))
      #expect(!isLast)
      for _ in 1...1000 { _ = bucket.add(.microseconds(2)) }
    }
    #expect(!bucket.hasOverflowed)
    let said = (1...13).map { _ in bucket.add(.milliseconds(90)) }
    #expect(said == [Bool](repeating: false, count: 11) + [true, false])
    #expect(bucket.hasOverflowed)
  }
}

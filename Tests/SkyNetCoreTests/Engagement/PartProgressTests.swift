import SkyNetCore
import Testing

@Suite("The progress of a growing job")
struct PartProgressTests {
  private static func part(_ number: Int, sectors: Int = 1) -> JobPart {
    JobPart(
      number: number, sectors: number * sectors..<(number + 1) * sectors, name: "image \(number)")
  }

  /// A night of images, each of one task, that slots scan one after the other.
  private struct Night {
    static let images = 60
    let seconds: [Double]
    let slots: Int
    /// How many images are known before a slot takes them.
    let ahead = 4
    var estimate = ProgressEstimate(at: .at(0))
    private(set) var now = 0.0
    private var known = 0
    private var begun = 0
    private var running: [(image: Int, end: Double)] = []

    /// - Parameter images: how many seconds each takes, and by how much of that at most it differs.
    init(seconds: Double, noise: Double, slots: Int, seed: UInt64) {
      var random = SplitMix64(seed: seed)
      self.seconds = (0..<Self.images).map { _ in
        seconds * .random(in: 1 - noise...1 + noise, using: &random)
      }
      self.slots = slots
    }

    var isOver: Bool { begun == Self.images && running.isEmpty }
    var nextEnd: Double { running.map(\.end).min() ?? now }

    /// Goes on until a time, which is not after the next end.
    mutating func advance(to time: Double) {
      now = time
      for (image, end) in running where end <= time {
        estimate.done(
          TaskID(sector: image), seconds: seconds[image], endsSector: true, at: .at(time))
        estimate.ended(part(image))
      }
      running.removeAll { $0.end <= time }
      while running.count < slots, begun < Self.images {
        grow()
        estimate.handedOut(TaskID(sector: begun), at: .at(time))
        running.append((begun, time + seconds[begun]))
        begun += 1
      }
    }

    private mutating func grow() {
      while known < min(Self.images, begun + ahead) {
        estimate.grew(by: part(known), expectedParts: Self.images)
        estimate.added(1, toPass: 0)
        known += 1
      }
    }
  }

  @Test(
    "For equal images the time left is right within a fifth from a tenth of the run on",
    arguments: [0.05, 0.6, 9, 100], [1, 2, 5])
  func timeLeft(seconds: Double, slots: Int) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      var night = Night(seconds: seconds, noise: 0.15, slots: slots, seed: seed)
      var told: [(at: Double, left: Double?)] = []
      night.advance(to: 0)
      while !night.isOver {
        // People look at any time, not only when an image ends.
        let next = night.nextEnd
        let step = (next - night.now) / 3
        for _ in 0..<2 {
          night.advance(to: night.now + step)
          told.append((night.now, night.estimate.secondsLeft(at: .at(night.now))))
        }
        night.advance(to: next)
        told.append((night.now, night.estimate.secondsLeft(at: .at(night.now))))
      }
      let total = night.now
      for (time, left) in told where time >= total / 10 {
        let left = try #require(left)
        let truth = total - time
        // Of the last image nobody knows how long it takes.
        #expect(
          abs(left - truth) <= 0.2 * truth + 0.2 * seconds,
          "\(left) s instead of \(truth) s, \(time) s after the beginning, seed \(seed)")
      }
      #expect(night.estimate.secondsLeft(at: .at(total)) == 0)
    }
  }

  @Test(
    "Images that an earlier process ended, or that cannot be read, do not make the others shorter")
  func pastImages() throws {
    var estimate = ProgressEstimate(at: .at(0))
    for number in 0..<30 {
      estimate.grew(by: Self.part(number), expectedParts: 40)
      if number >= 25 { estimate.failed(number) }
      estimate.ended(Self.part(number))
    }
    for number in 30..<33 {
      estimate.grew(by: Self.part(number), expectedParts: 40)
      estimate.added(1, toPass: 0)
    }
    for number in 30..<32 {
      let task = TaskID(sector: number)
      estimate.handedOut(task, at: .at(Double(number - 30)))
      estimate.done(task, seconds: 1, endsSector: true, at: .at(Double(number - 29)))
      estimate.ended(Self.part(number))
    }
    // One image a second, and eight of forty are left.
    let left = try #require(estimate.secondsLeft(at: .at(2)))
    #expect(abs(left - 8) < 0.1)
  }

  @Test("Before the first image has ended, the tasks of those that are known tell of the others")
  func firstImage() throws {
    var estimate = ProgressEstimate(at: .at(0))
    estimate.grew(by: Self.part(0, sectors: 10), expectedParts: 5)
    estimate.added(10, toPass: 0)
    for sector in 0..<4 {
      let task = TaskID(sector: sector)
      estimate.handedOut(task, at: .at(Double(sector)))
      estimate.done(task, seconds: 1, endsSector: true, at: .at(Double(sector + 1)))
    }
    let left = try #require(estimate.secondsLeft(at: .at(4)))
    #expect(abs(left - 46) < 0.5)
  }

  @Test("An attempt that came back, and one beside another, count for nothing")
  func lostAttempts() throws {
    var estimate = ProgressEstimate(at: .at(0))
    for number in 0..<4 {
      estimate.grew(by: Self.part(number), expectedParts: 4)
      estimate.added(1, toPass: 0)
    }
    estimate.handedOut(TaskID(sector: 0), at: .at(0))
    estimate.done(TaskID(sector: 0), seconds: 10, endsSector: true, at: .at(10))
    estimate.ended(Self.part(0))
    estimate.handedOut(TaskID(sector: 1), at: .at(10))
    estimate.handedOut(TaskID(sector: 1), at: .at(12))
    let hedged = try #require(estimate.secondsLeft(at: .at(15)))
    #expect(abs(hedged - 25) < 0.1)
    estimate.cameBack(TaskID(sector: 1))
    #expect(estimate.secondsLeft(at: .at(15)) == hedged)
    estimate.cameBack(TaskID(sector: 1))
    let lost = try #require(estimate.secondsLeft(at: .at(15)))
    #expect(abs(lost - 45) < 0.1, "ten seconds of work in fifteen, and thirty are left")
  }

  @Test("A part counts as failed once it has ended, however many of its sectors have failed")
  func counts() {
    var estimate = ProgressEstimate(at: .at(0))
    for number in 0..<3 { estimate.grew(by: Self.part(number, sectors: 4), expectedParts: nil) }
    #expect(estimate.parts.begun == 3 && estimate.parts.total == 3)
    estimate.failed(5)
    estimate.failed(6)
    #expect(estimate.parts.failed == 0)
    estimate.ended(Self.part(1, sectors: 4))
    estimate.ended(Self.part(0, sectors: 4))
    #expect(estimate.parts.failed == 1 && estimate.parts.ended == 2)
    #expect(
      EngagementSummary.Parts(estimate.parts, noun: "images")
        == EngagementSummary.Parts(total: 3, done: 1, failed: 1, noun: "images"))
    estimate.grew(by: Self.part(3, sectors: 4), expectedParts: 300)
    #expect(estimate.parts.total == 300)
  }
}

import Foundation
import SkyNetCore
import SkyNetTestKit
import Testing

@testable import ImagesWorkload

/// A directory and writers that do at random what writers do, from a seed.
@Suite("A followed directory with writers of every kind")
struct FollowedWritersTests {
  /// What writers have done with the frames of a directory.
  private struct Writers {
    let folder: String
    var random: SplitMix
    var next = 0
    /// Files that are open, with what is still to be written.
    var open: [(name: String, descriptor: CInt, rest: [UInt8])] = []
    /// The names of the frames that are complete.
    var complete: [String] = []
    /// Those that stay incomplete.
    var incomplete: [String] = []

    mutating func act() {
      switch Int(random.next() % 8) {
      case 0, 1: begin()
      case 2, 3, 4: write()
      case 5: renameIntoPlace()
      case 6: truncated()
      default: removed()
      }
    }

    private mutating func name() -> String {
      next += 1
      return ["frame-\(next).fits", "frame-\(next).FIT", "frame-\(next).fits.fz"][next % 3]
    }

    /// Without what fills up the last block: a file is complete with its last byte.
    private var image: [UInt8] {
      let width = 10 + next
      return Array(SampleFITS.image(width, 20, value: UInt8(next % 200)).prefix(2880 + width * 40))
    }

    private mutating func begin() {
      let name = name()
      let descriptor = Foundation.open(folder + "/" + name, O_WRONLY | O_CREAT | O_EXCL, 0o644)
      open.append((name, descriptor, image))
    }

    private mutating func write() {
      guard !open.isEmpty else { return }
      let index = Int(random.next() % UInt64(open.count))
      let count = min(open[index].rest.count, 1 + Int(random.next() % 4000))
      _ = Foundation.write(open[index].descriptor, open[index].rest, count)
      open[index].rest.removeFirst(count)
      guard open[index].rest.isEmpty else { return }
      complete.append(open[index].name)
      close(open.remove(at: index).descriptor)
    }

    private mutating func renameIntoPlace() {
      let name = name()
      try? Data(image).write(to: URL(fileURLWithPath: folder + "/" + name + ".part"))
      rename(folder + "/" + name + ".part", folder + "/" + name)
      complete.append(name)
    }

    private mutating func truncated() {
      let name = name()
      try? Data(image.dropLast(300)).write(to: URL(fileURLWithPath: folder + "/" + name))
      incomplete.append(name)
    }

    private mutating func removed() {
      guard !open.isEmpty else { return }
      let file = open.removeFirst()
      unlink(folder + "/" + file.name)
      close(file.descriptor)
    }

    mutating func end() { while !open.isEmpty { write() } }
  }

  /// A generator of random numbers (Steele, Lea & Flood 2014) that a seed repeats.
  private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }

  @Test(
    "Each complete frame comes once, whatever writers do, and incomplete ones are told",
    arguments: Array(1...4) as [UInt64], [true, false])
  func eachCompleteFrameComesOnce(seed: UInt64, hasEvents: Bool) async throws {
    let folder = NSTemporaryDirectory() + "skynet-writers-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = ManualClock()
    var settings = FollowedDirectory.Settings()
    settings.usesEvents = hasEvents
    settings.idleTimeout = .seconds(90)
    let directory = FollowedDirectory(folder, settings, clock: clock)
    let (frames, unfinished, writers) = try await withThrowingTaskGroup(of: [String].self) {
      group in
      group.addTask {
        var frames: [String] = []
        for try await case .frame(let path) in directory { frames.append(path) }
        return frames
      }
      var writers = Writers(folder: folder, random: SplitMix(state: seed))
      for _ in 0..<120 {
        writers.act()
        if writers.random.next() % 4 == 0 {
          try await clock.sleepers(atLeast: 1)
          clock.advance(by: .milliseconds(Int(writers.random.next() % 3000)))
        }
      }
      writers.end()
      group.addTask {
        while !Task.isCancelled {
          try await clock.sleepers(atLeast: 1)
          clock.advance(by: .seconds(3))
        }
        return []
      }
      let frames = try await group.next() ?? []
      group.cancelAll()
      return (frames, await directory.unfinished, writers)
    }
    #expect(frames.sorted() == writers.complete.map { folder + "/" + $0 }.sorted())
    #expect(
      unfinished.map(\.path) == writers.incomplete.map { folder + "/" + $0 }.sorted())
    #expect(unfinished.allSatisfy { $0.reason.hasPrefix("is not complete: it has ") })
  }
}

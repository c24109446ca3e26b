import SkyNetCluster
import SkyNetCore

/// The latest parts of a growing job.
struct PartList {
  static let limit = 4096

  private var latest: [JobPart] = []
  /// How many there were in all.
  private(set) var count = 0

  mutating func add(_ part: JobPart) {
    if latest.count < Self.limit {
      latest.append(part)
    } else {
      latest[count % Self.limit] = part
    }
    count += 1
  }

  /// The parts after the first `start`, as far as they are kept.
  func latest(after start: Int, until end: Int) -> [JobPart] {
    let first = max(start, count - latest.count)
    guard first < end else { return [] }
    return (first..<end).map { latest[$0 % Self.limit] }
  }
}

/// The latest sectors that were given up.
struct FailureList {
  static let limit = 200

  private(set) var latest: [SectorFailure] = []
  /// How many there were in all.
  private(set) var count = 0

  mutating func add(_ failure: SectorFailure) {
    if latest.count == Self.limit { latest.removeFirst() }
    latest.append(failure)
    count += 1
  }

  func latest(after count: Int, until end: Int) -> ArraySlice<SectorFailure> {
    let first = self.count - latest.count
    return latest[max(0, min(latest.count, count - first))..<max(0, min(latest.count, end - first))]
  }
}

/// The latest points on the picture.
struct PointList {
  /// The most points that are kept; a page has no room for more.
  static let limit = 20_000

  private var numbers: [Float] = []
  private(set) var count = 0

  mutating func add(_ point: (x: Double, y: Double, strength: Double)) {
    let values = [Float(point.x), Float(point.y), Float(point.strength)]
    if count < Self.limit {
      numbers += values
    } else {
      let place = count % Self.limit * 3
      numbers.replaceSubrange(place..<place + 3, with: values)
    }
    count += 1
  }

  /// x, y and strength of each point after the first `start`, as far as they are kept.
  func numbers(after start: Int, until end: Int) -> [Float] {
    let first = max(start, count - Self.limit)
    guard first < end else { return [] }
    return (first..<end).flatMap { index in
      let place = index % Self.limit * 3
      return numbers[place..<place + 3]
    }
  }
}

/// A histogram of values.
///
/// The width and precision of its classes are SExtractor's: in a crowded mesh, one class more or
/// less at either end changes the level.
struct ValueHistogram {
  private static let most = 4096
  /// The histogram covers this many σ on either side of the mean.
  private static let reach = 5.0
  /// The number of values that the fullest class should have.
  private static let fullest = 4.0

  /// The number of classes.
  private var number = most
  /// The middle of the first class, and the distance between the middles of neighbouring classes.
  private var first: Float = 0
  private var width: Float = 1
  /// The values in each class. The last count is of the values outside of all classes.
  private var counts = [Int32](repeating: 0, count: most + 1)
  /// Sums over the classes before each block of classes. Clipping asks for those of a few classes, so that it would
  /// take longer to write them all.
  private var blocks = [ClassSums](repeating: ClassSums(), count: most / ClassSums.block + 1)
  /// The class of each value in a row.
  private var places: [Int32] = []

  /// - Parameter inner: the moments of the values close to the mean. If the values were normally
  ///   distributed, a class of width w, in σ, in the middle would hold w / √2π of them.
  mutating func count(_ values: PlaneRectangle, around inner: PlaneRectangle.Moments) {
    let share = (2 / Double.pi).squareRoot() * Self.reach / Self.fullest
    number = min(Self.most, Int(share * Double(inner.count) + 1))
    width = inner.sigma > 0 ? Float(2 * Self.reach * inner.sigma / Double(number)) : 1
    first = Float(inner.mean - Self.reach * inner.sigma)
    counts.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    if places.count < values.width { places = [Int32](repeating: 0, count: values.width) }
    for row in 0..<values.height {
      classify(values.first + row * values.stride, values.width)
      counts.withUnsafeMutableBufferPointer { counts in
        places.withUnsafeBufferPointer { places in
          for column in 0..<values.width { counts[Int(places[column])] &+= 1 }
        }
      }
    }
    addUp(number)
  }

  private mutating func addUp(_ number: Int) {
    blocks.withUnsafeMutableBufferPointer { blocks in
      counts.withUnsafeBufferPointer { counts in
        var sums = ClassSums()
        for block in 0...number / ClassSums.block {
          blocks[block] = sums
          let start = block * ClassSums.block
          if start + ClassSums.block <= number { sums.add(blockOf: counts, from: start) }
        }
      }
    }
  }

  /// Sums over the classes before a class.
  private func sums(before place: Int) -> ClassSums {
    let block = place / ClassSums.block
    var sums = blocks[block]
    for place in block * ClassSums.block..<place { sums.add(counts[place], in: place) }
    return sums
  }

  /// Finds the classes of a row of values, several at a time. The first class is half as wide again
  /// as the others, because a class number is a quotient whose fraction is cut off.
  private mutating func classify(_ values: UnsafePointer<Float>, _ count: Int) {
    let (width, outside, offset) = (width, Float(number), offset)
    // 2²³ has no fraction bits, so a number that is added to it loses its fraction.
    let whole: Float = 8_388_608
    places.withUnsafeMutableBufferPointer { places in
      for column in 0..<count {
        let position = values[column] / width + offset
        let inside = position < 0 ? 0 : (position < outside ? position : outside)
        let bounded = position > -1 ? inside : outside
        let sum = bounded + whole
        let nearest = Int32(bitPattern: sum.bitPattern & 0x7f_ffff)
        places[column] = nearest &- (sum - whole > bounded ? 1 : 0)
      }
    }
  }

  /// Whether a value is in one of the classes.
  func holds(_ value: Float) -> Bool {
    let position = value / width + offset
    return position > -1 && position < Float(number)
  }

  /// A class number is the whole part of a value's quotient by the width, and this.
  private var offset: Float { Float(0.499999 - Double(first / width)) }

  /// Clips at 3 σ about the median until σ hardly changes.
  func clippedSky() -> MeshSky {
    let last = number - 1
    var range = 0..<number
    var (mean, median, sigma, previous) = (0.0, 0.0, 10 * Double(last), 1.0)
    for _ in 0..<100 where sigma >= 0.1 && abs(sigma / previous - 1) > 1e-4 {
      previous = sigma
      (mean, median, sigma) = statistics(range)
      let (low, high) = (median - 3 * sigma, median + 3 * sigma)
      let start = low > 0 ? Int(low + 0.5) : 0
      let end = high < Double(last) ? Int(high > 0 ? high + 0.5 : high - 0.5) : last
      range = start..<max(start, end + 1)
    }
    guard sigma > 0 else { return sky(mean, sigma) }
    return sky(abs((mean - median) / sigma) < 0.3 ? 2.5 * median - 1.5 * mean : median, sigma)
  }

  /// Converts a level and a noise from units of classes.
  private func sky(_ level: Double, _ noise: Double) -> MeshSky {
    MeshSky(
      level: Double(Float(Double(first) + level * Double(width))),
      noise: Double(Float(noise * Double(width))))
  }

  /// The moments of the values in a range of classes, in units of classes.
  private func statistics(_ range: Range<Int>) -> (mean: Double, median: Double, sigma: Double) {
    let (low, high) = (sums(before: range.lowerBound), sums(before: range.upperBound))
    let count = high.total - low.total
    guard count > 0 else { return (0, Double(range.lowerBound), 0) }
    let mean = Double(high.first - low.first) / Double(count)
    let square = Double(high.second - low.second) / Double(count)
    return (mean, median(range, count), max(0, square - mean * mean).squareRoot())
  }

  /// The median, in units of classes.
  ///
  /// SExtractor takes values from both ends of the histogram, one class at a time, from the end
  /// where fewer values have been taken so far. That is equivalent to finding the class in which
  /// half of the values is passed; the class goes to the end that has fewer values without it.
  /// Where the two ends meet, the difference of their counts is spread over the fuller of the two
  /// classes there.
  private func median(_ range: Range<Int>, _ count: Int) -> Double {
    let start = sums(before: range.lowerBound).total
    var (low, high) = (range.lowerBound, range.upperBound)
    while high - low > 1 {
      let middle = (low + high) / 2
      if 2 * (sums(before: middle).total - start) < count { low = middle } else { high = middle }
    }
    let before = sums(before: low).total - start
    let after = count - (sums(before: low + 1).total - start)
    let meeting = before < after ? low + 1 : low
    guard meeting > 0 else { return 0 }
    let below = sums(before: meeting).total - start
    let fullest = max(meeting < number ? counts[meeting] : 0, counts[meeting - 1])
    return Double(meeting) - 0.5 + Double(count - 2 * below) / (2 * Double(fullest))
  }
}

/// Sums over classes: of the number of values, of the values' class numbers, and of the squares of
/// these. They are integers, so that differences are exact.
private struct ClassSums {
  /// The number of classes in a block.
  static let block = 16

  private(set) var total = 0
  private(set) var first = 0
  private(set) var second = 0

  @inline(__always)
  mutating func add(_ count: Int32, in place: Int) {
    let count = Int(count)
    let moment = count &* place
    total &+= count
    first &+= moment
    second &+= moment &* place
  }

  /// Adds a block of classes, without a multiplication for each: with T(k) the total from the block's class k on,
  /// Σ T(k) over k ≥ 1 is Σ k·c(k), and 2·Σ k·T(k) − Σ T(k) is Σ k²·c(k).
  @inline(__always)
  mutating func add(blockOf counts: UnsafeBufferPointer<Int32>, from start: Int) {
    var (total, first, weighted) = (0, 0, 0)
    for back in 1..<Self.block {
      total &+= Int(counts[start + Self.block - back])
      first &+= total
      weighted &+= first
    }
    total &+= Int(counts[start])
    let second = 2 &* weighted &- first
    self.total &+= total
    self.first &+= start &* total &+ first
    self.second &+= start &* (start &* total &+ 2 &* first) &+ second
  }
}

/// How many values there are of each size.
struct ValueClasses {
  private static let most = 4096

  /// How many there are.
  private var number = most
  /// The middle of the first class, and the distance to the next one's.
  private var first = 0.0
  private var width = 1.0
  /// The last is of what is in no class.
  private var counts = [Int32](repeating: 0, count: most + 1)
  /// Sums over the classes before each: of the values' number, of the classes' numbers, and of
  /// their squares. Of integers, so that differences are exact.
  private var sums = [ClassSums](
    repeating: ClassSums(total: 0, first: 0, second: 0), count: most + 1)
  /// The classes of a row's values.
  private var places: [Int32] = []

  /// - Parameters:
  ///   - range: 5 σ to either side of the mean.
  ///   - valueCount: how many values make that mean and σ. Were they normally distributed, a class
  ///     of a width w in σ would have w / √2π of them in their midst.
  mutating func count(
    _ values: PlaneRectangle, within range: ClosedRange<Float>, of valueCount: Int
  ) {
    number = min(Self.most, Int((2 / Double.pi).squareRoot() * 5 / 4 * Double(valueCount)) + 1)
    width = (Double(range.upperBound) - Double(range.lowerBound)) / Double(number)
    first = Double(range.lowerBound)
    counts.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    if places.count < values.width { places = [Int32](repeating: 0, count: values.width) }
    for row in 0..<values.height {
      classify(values.first + row * values.stride, values.width, range, Float(1 / width))
      counts.withUnsafeMutableBufferPointer { counts in
        places.withUnsafeBufferPointer { places in
          for column in 0..<values.width { counts[Int(places[column])] &+= 1 }
        }
      }
    }
    addUp(number)
  }

  private mutating func addUp(_ number: Int) {
    sums.withUnsafeMutableBufferPointer { sums in
      counts.withUnsafeBufferPointer { counts in
        var (total, first, second) = (0, 0, 0)
        for place in 0..<number {
          sums[place] = ClassSums(total: total, first: first, second: second)
          let count = Int(counts[place])
          let moment = count &* place
          total &+= count
          first &+= moment
          second &+= moment &* place
        }
        sums[number] = ClassSums(total: total, first: first, second: second)
      }
    }
  }

  /// Finds the classes of a row of values, several at a time.
  private mutating func classify(
    _ values: UnsafePointer<Float>, _ count: Int, _ range: ClosedRange<Float>, _ scale: Float
  ) {
    let (low, high) = (range.lowerBound, range.upperBound)
    let (number, last) = (Int32(number), Float(number - 1))
    places.withUnsafeMutableBufferPointer { places in
      for column in 0..<count {
        let value = values[column]
        let isIn = value >= low && value <= high
        let position = (value - low) * scale
        let bounded = position > 0 ? (position < last ? position : last) : 0
        // 2²³ is added: then a number's last bits are the nearest whole number.
        let place = (bounded + 8_388_608).bitPattern & 0x7f_ffff
        places[column] = isIn ? Int32(bitPattern: place) : number
      }
    }
  }

  /// Clips at 3 σ about the median until nothing changes.
  func clippedSky() -> MeshSky {
    var range = 0..<number
    var (mean, median, sigma) = statistics(range)
    for _ in 0..<100 where sigma > 0 {
      let low = max(0, Int((median - 3 * sigma).rounded()))
      let high = min(number, Int((median + 3 * sigma).rounded()) + 1)
      let clipped = low..<max(low + 1, high)
      guard clipped != range else { break }
      range = clipped
      (mean, median, sigma) = statistics(range)
    }
    let level = abs(mean - median) < 0.3 * sigma ? 2.5 * median - 1.5 * mean : median
    return MeshSky(level: first + width * level, noise: width * sigma)
  }

  /// In classes.
  private func statistics(_ range: Range<Int>) -> (mean: Double, median: Double, sigma: Double) {
    let (low, high) = (sums[range.lowerBound], sums[range.upperBound])
    let count = high.total - low.total
    guard count > 0 else { return (Double(range.lowerBound), Double(range.lowerBound), 0) }
    let mean = Double(high.first - low.first) / Double(count)
    let square = Double(high.second - low.second) / Double(count)
    return (mean, median(range, count), max(0, square - mean * mean).squareRoot())
  }

  /// Where half of the values are passed, as if those of a class were spread evenly over it.
  private func median(_ range: Range<Int>, _ count: Int) -> Double {
    let half = Double(sums[range.lowerBound].total) + Double(count) / 2
    var (low, high) = (range.lowerBound, range.upperBound)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Double(sums[middle].total) < half { low = middle } else { high = middle }
    }
    let inside = max(1, Double(counts[low]))
    return Double(low) - 0.5 + (half - Double(sums[low].total)) / inside
  }
}

/// Sums over classes: of the values' number, of the classes' numbers, and of their squares.
private struct ClassSums {
  var total: Int
  var first: Int
  var second: Int
}

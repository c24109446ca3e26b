/// A rectangle of a plane, in memory.
struct PlaneRectangle {
  fileprivate typealias Vector = SIMD8<Float>

  let first: UnsafePointer<Float>
  let stride: Int
  let width: Int
  let height: Int

  struct Moments {
    var count = 0
    var mean = 0.0
    var sigma = 0.0

    func range(deviations: Double) -> ClosedRange<Float> {
      Float(mean - deviations * sigma)...Float(mean + deviations * sigma)
    }
  }

  subscript(column: Int, row: Int) -> Float { first[row * stride + column] }

  /// The first value that is not NaN.
  var firstValue: Float? {
    for row in 0..<height {
      for column in 0..<width where !first[row * stride + column].isNaN {
        return first[row * stride + column]
      }
    }
    return nil
  }

  /// The moments of the values within a range. The sums are of differences from a value of the
  /// rectangle, because the squares of large numbers would round the deviations away.
  func moments(_ range: ClosedRange<Float>, from pivot: Float) -> Moments {
    var sums = SIMD8<Double>()
    var squares = SIMD8<Double>()
    var counts = SIMD8<Int32>()
    let (low, high) = (Vector(repeating: range.lowerBound), Vector(repeating: range.upperBound))
    // As a call of its own, it would keep its sums in memory.
    @inline(__always)
    func add(_ values: Vector) {
      // A comparison with NaN is false, so NaN is never within the range.
      let isIn = (values .>= low) .& (values .<= high)
      let deviations = SIMD8<Double>((values - pivot).replacing(with: 0, where: .!isIn))
      sums += deviations
      squares += deviations * deviations
      counts &+= SIMD8<Int32>(repeating: 1).replacing(with: 0, where: .!isIn)
    }
    let whole = width - width % Vector.scalarCount
    for row in 0..<height {
      let start = UnsafeRawPointer(first + row * stride)
      for column in Swift.stride(from: 0, to: whole, by: Vector.scalarCount) {
        add(start.loadUnaligned(fromByteOffset: 4 * column, as: Vector.self))
      }
      if whole < width {
        var rest = Vector(repeating: .nan)
        for column in whole..<width { rest[column - whole] = first[row * stride + column] }
        add(rest)
      }
    }
    let count = Int(counts.wrappedSum())
    guard count > 0 else { return Moments() }
    let mean = sums.sum() / Double(count)
    let variance = squares.sum() / Double(count) - mean * mean
    return Moments(
      count: count, mean: Double(pivot) + mean, sigma: max(0, variance).squareRoot())
  }
}

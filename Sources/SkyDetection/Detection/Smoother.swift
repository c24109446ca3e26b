/// Smooths a plane row by row. Pixels outside of the plane and pixels without a value count as
/// zero.
///
/// A smoothed value is the same to the last bit wherever the plane was cut from the image, if the
/// plane has all rows and columns under the kernel: the terms are added in the order of their
/// places in the kernel.
struct Smoother {
  private let plane: Plane
  private let kernel: SmoothingKernel
  private let isUsual: Bool
  /// A row of values, or of sums, with zeros before and after it.
  private var padded: [Float]

  /// - Parameter kernel: a kernel that its `check()` accepts.
  init(_ plane: Plane, kernel: SmoothingKernel = .usual) {
    precondition(kernel.weights.count == kernel.width * kernel.height, "\(kernel)")
    self.plane = plane
    self.kernel = kernel
    isUsual = kernel == .usual
    padded = [Float](repeating: 0, count: plane.width + kernel.width - 1)
  }

  /// Writes the smoothed row.
  mutating func smooth(row: Int, into smoothed: inout [Float]) {
    precondition(smoothed.count >= plane.width, "\(smoothed.count) of \(plane.width) columns")
    if isUsual {
      smoothUsually(row: row, into: &smoothed)
    } else {
      smoothGenerally(row: row, into: &smoothed)
    }
  }

  /// Smooths with [1 2 1; 2 4 2; 1 2 1]/16, as a sum along the columns and then one along the row.
  /// Each term is multiplied with its weight before the addition, because doubling the largest
  /// values would overflow.
  private mutating func smoothUsually(row: Int, into smoothed: inout [Float]) {
    let width = plane.width
    plane.values.withUnsafeBufferPointer { values in
      padded.withUnsafeMutableBufferPointer { sums in
        guard let first = values.baseAddress, let sum = sums.baseAddress else { return }
        let middle = first + row * width
        if row > 0, row < plane.height - 1 {
          let (above, below) = (middle - width, middle + width)
          for column in 0..<width {
            sum[column + 1] =
              0.5 * Self.number(middle[column]) + 0.25 * Self.number(above[column])
              + 0.25 * Self.number(below[column])
          }
        } else {
          for column in 0..<width { sum[column + 1] = 0.5 * Self.number(middle[column]) }
          for neighbour in [row - 1, row + 1] where (0..<plane.height).contains(neighbour) {
            let values = first + neighbour * width
            for column in 0..<width { sum[column + 1] += 0.25 * Self.number(values[column]) }
          }
        }
        smoothed.withUnsafeMutableBufferPointer { smoothed in
          for column in 0..<width {
            smoothed[column] = 0.25 * sum[column] + 0.5 * sum[column + 1] + 0.25 * sum[column + 2]
          }
        }
      }
    }
  }

  /// Smooths with any kernel: adds each row under the kernel once per weight, shifted by the
  /// weight's place.
  private mutating func smoothGenerally(row: Int, into smoothed: inout [Float]) {
    for column in 0..<plane.width { smoothed[column] = 0 }
    for kernelRow in 0..<kernel.height {
      let valueRow = row + kernelRow - kernel.height / 2
      guard (0..<plane.height).contains(valueRow) else { continue }
      pad(row: valueRow)
      let first = kernelRow * kernel.width
      for (place, weight) in kernel.weights[first..<first + kernel.width].enumerated() {
        add(weight, place: place, to: &smoothed)
      }
    }
  }

  /// Copies a row of the plane between the zeros.
  private mutating func pad(row: Int) {
    let width = plane.width
    plane.values.withUnsafeBufferPointer { values in
      padded.withUnsafeMutableBufferPointer { padded in
        let row = UnsafeBufferPointer(rebasing: values[row * width..<(row + 1) * width])
        let inner = UnsafeMutableBufferPointer(rebasing: padded[(kernel.width / 2)...])
        for column in 0..<width { inner[column] = Self.number(row[column]) }
      }
    }
  }

  private func add(_ weight: Float, place: Int, to smoothed: inout [Float]) {
    // This is not only for speed: an infinite pixel times 0 would be NaN.
    guard weight != 0 else { return }
    let width = plane.width
    padded.withUnsafeBufferPointer { padded in
      smoothed.withUnsafeMutableBufferPointer { smoothed in
        let moved = UnsafeBufferPointer(rebasing: padded[place..<place + width])
        for column in 0..<width { smoothed[column] += weight * moved[column] }
      }
    }
  }

  @inline(__always)
  private static func number(_ value: Float) -> Float { value == value ? value : 0 }
}

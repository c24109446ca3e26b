/// A rectangle of values, row by row; NaN where there is none.
struct Plane: Hashable, Sendable {
  let width: Int
  let height: Int
  var values: [Float]

  init(width: Int, height: Int, values: [Float]) {
    precondition(values.count == width * height, "\(values.count) values for \(width) × \(height)")
    self.width = width
    self.height = height
    self.values = values
  }
}

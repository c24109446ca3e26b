/// The background in a rectangle of an image.
package struct BackgroundPatch: Hashable, Sendable {
  /// The standard deviation of a typical pixel of empty sky in the whole image, and that of a pixel
  /// of weight 1.
  package var noise: Double
  package var unitNoise: Double
  package var mesh: DetectionSettings.MeshSize
  package var firstColumn: Int
  package var columnCount: Int
  package var firstRow: Int
  package var rowCount: Int
  /// The numbers at the patch's nodes, row by row: all levels, then their second derivatives along
  /// x, along y, and along both.
  package var nodes: [Double]
  /// The same numbers of the noise, where it stands for weights; otherwise none.
  package var noiseNodes: [Double]

  /// Accepts any numbers; ``check()`` validates them.
  package init(
    noise: Double, unitNoise: Double, mesh: DetectionSettings.MeshSize, firstColumn: Int,
    columnCount: Int,
    firstRow: Int, rowCount: Int, nodes: [Double], noiseNodes: [Double] = []
  ) {
    self.noise = noise
    self.unitNoise = unitNoise
    self.mesh = mesh
    self.firstColumn = firstColumn
    self.columnCount = columnCount
    self.firstRow = firstRow
    self.rowCount = rowCount
    self.nodes = nodes
    self.noiseNodes = noiseNodes
  }

  var columns: Range<Int> { firstColumn..<firstColumn + columnCount }
  var rows: Range<Int> { firstRow..<firstRow + rowCount }

  /// - Throws: ``InvalidScan`` if the numbers do not fit together.
  package func check() throws {
    let counts = 1...SectorGrid.maximumImageSide
    let starts = 0..<SectorGrid.maximumImageSide
    guard counts.contains(columnCount), counts.contains(rowCount), counts.contains(mesh.width),
      counts.contains(mesh.height),
      starts.contains(firstColumn), starts.contains(firstRow), noise.isFinite, noise > 0,
      unitNoise.isFinite, unitNoise > 0,
      nodes.count == 4 * columnCount * rowCount,
      noiseNodes.isEmpty || noiseNodes.count == nodes.count
    else {
      throw InvalidScan("a background whose numbers do not fit together")
    }
    let largest = Double(Plane.largestValue)
    guard (nodes + noiseNodes).allSatisfy({ abs($0) <= largest }) else {
      throw InvalidScan("a background with numbers that are impossible for an image")
    }
  }

  /// Subtracts the level from every pixel of a plane.
  ///
  /// - Parameter origin: the column and row of the plane's first pixel in the image.
  /// - Throws: `CancellationError` if the task is cancelled.
  package func subtract(from plane: inout Plane, at origin: (x: Int, y: Int)) throws {
    try subtract(nodes, from: &plane, at: origin)
  }

  /// The variance of the noise at every pixel of a rectangle, row by row.
  ///
  /// - Throws: ``InvalidScan`` if the patch has no noise at nodes; `CancellationError` if the task is
  ///   cancelled.
  func variances(in rectangle: PixelRectangle) throws -> [Float] {
    guard !noiseNodes.isEmpty else { throw InvalidScan("a background without the noise at nodes") }
    let (width, height) = (rectangle.width, rectangle.height)
    var plane = Plane(
      width: width, height: height, values: [Float](repeating: 0, count: width * height))
    try subtract(noiseNodes, from: &plane, at: (rectangle.x, rectangle.y))
    return plane.values.map { $0 * $0 }
  }

  /// Subtracts the spline through nodes from every pixel of a plane.
  private func subtract(
    _ nodes: [Double], from plane: inout Plane, at origin: (x: Int, y: Int)
  ) throws {
    let fields = Fields(columns: columnCount, rows: rowCount, numbers: nodes)
    let pieces = SplinePieces(
      columns: origin.x..<origin.x + plane.width, meshWidth: mesh.width, nodes: columns)
    var values = [Double](repeating: 0, count: columnCount + 1)
    var curvatures = values
    for row in 0..<plane.height {
      if row.isMultiple(of: 16) { try Task.checkCancellation() }
      let place = NodePosition(row: origin.y + row, meshHeight: mesh.height, nodes: rows)
      fields.interpolate(place.node - firstRow, SplineWeights(place.offset), &values, &curvatures)
      plane.values.withUnsafeMutableBufferPointer { pixels in
        guard let first = pixels.baseAddress else { return }
        pieces.subtract(values, curvatures, from: first + row * plane.width)
      }
    }
  }
}

/// The pieces of a row's spline, and the weights of their nodes at each column.
private struct SplinePieces {
  /// The columns of each piece, counted from the row's first column, and its first node, counted
  /// from the patch's first node.
  private var pieces: [(columns: Range<Int>, node: Int)] = []
  private var weights: [[Double]]

  init(columns: Range<Int>, meshWidth: Int, nodes: Range<Int>) {
    weights = [[Double]](repeating: [], count: 4)
    for (index, column) in columns.enumerated() {
      let place = NodePosition(column: column, meshWidth: meshWidth, nodes: nodes)
      let node = place.node - nodes.lowerBound
      if let last = pieces.last, last.node == node {
        pieces[pieces.count - 1].columns = last.columns.lowerBound..<index + 1
      } else {
        pieces.append((index..<index + 1, node))
      }
      let weight = SplineWeights(place.offset)
      weights[0].append(weight.value)
      weights[1].append(weight.nextValue)
      weights[2].append(weight.curvature)
      weights[3].append(weight.nextCurvature)
    }
  }

  /// Subtracts the spline through the nodes' values from a row.
  func subtract(
    _ values: [Double], _ curvatures: [Double], from pixels: UnsafeMutablePointer<Float>
  ) {
    weights[0].withUnsafeBufferPointer { first in
      weights[1].withUnsafeBufferPointer { second in
        weights[2].withUnsafeBufferPointer { third in
          weights[3].withUnsafeBufferPointer { fourth in
            for (columns, node) in pieces {
              let (a, b, c, d) = (
                values[node], values[node + 1], curvatures[node], curvatures[node + 1]
              )
              for column in columns {
                pixels[column] -= Float(
                  first[column] * a + second[column] * b + third[column] * c + fourth[column] * d)
              }
            }
          }
        }
      }
    }
  }
}

private struct Fields {
  let columns: Int
  let rows: Int
  let numbers: [Double]

  /// Writes the levels, and their second derivatives along x, at the points where a row of pixels
  /// crosses the nodes' columns.
  func interpolate(
    _ row: Int, _ weights: SplineWeights, _ values: inout [Double], _ curvatures: inout [Double]
  ) {
    let count = columns * rows
    let (upper, lower) = (row * columns, min(row + 1, rows - 1) * columns)
    for column in 0..<columns {
      let (a, b) = (upper + column, lower + column)
      values[column] = weights.sum(
        numbers[a], numbers[b], numbers[2 * count + a], numbers[2 * count + b])
      curvatures[column] = weights.sum(
        numbers[count + a], numbers[count + b], numbers[3 * count + a], numbers[3 * count + b])
    }
  }
}

/// The connected sets of a component's pixels, while pixels are added one by one.
///
/// In a crowded field of stars this is the slowest part of a scan. So the forest owns its memory,
/// uses it again, and checks neither bounds nor exclusivity. No data survives ``begin(with:)``.
final class PixelForest {
  private static let absent: Int32 = -1

  /// The data of a pixel and, if the pixel is a root, of its set.
  private struct Cell {
    var place: Int32
    var parent: Int32
    /// The pixels of each set form a list: each pixel has its successor, and the root has the last
    /// pixel.
    var successor = PixelForest.absent
    var last: Int32
    var count: Int32 = 1
    var strongCount: Int32 = 0
    var isWhole = true
    var isVisited = false
    var flux = 0.0
  }

  private var cells = UnsafeMutableBufferPointer<Cell>.allocate(capacity: 256)
  /// The pixel at each place of the component's rectangle, with a border around it; ``absent``
  /// where no pixel was added yet.
  private var map = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 1024)
  private var stride = 0

  deinit {
    cells.deallocate()
    map.deallocate()
  }

  /// Forgets all pixels, and makes room for a component's pixels.
  func begin(with component: Component) {
    stride = component.width + 2
    let size = stride * (component.height + 2)
    if map.count < size {
      map.deallocate()
      map = .allocate(capacity: Self.room(for: size))
    }
    map.baseAddress?.update(repeating: Self.absent, count: size)
    if cells.count < component.area {
      cells.deallocate()
      cells = .allocate(capacity: Self.room(for: component.area))
    }
    for pixel in 0..<component.area {
      let place = (component.y[pixel] + 1) * Int32(stride) + component.x[pixel] + 1
      cells.initializeElement(
        at: pixel, to: Cell(place: place, parent: Int32(pixel), last: Int32(pixel)))
    }
  }

  /// More room than is needed, so that the next component fits; for a large component, exactly what
  /// is needed.
  private static func room(for count: Int) -> Int { count < 1 << 16 ? 2 * count : count }

  /// Adds a pixel, and joins it with the sets of its eight neighbours.
  func add(_ pixel: Int32, smoothed: Float) {
    let place = Int(cells[Int(pixel)].place)
    map[place] = pixel
    cells[Int(pixel)].flux = Double(smoothed)
    var own = pixel
    join(place - stride - 1, &own)
    join(place - stride, &own)
    join(place - stride + 1, &own)
    join(place - 1, &own)
    join(place + 1, &own)
    join(place + stride - 1, &own)
    join(place + stride, &own)
    join(place + stride + 1, &own)
  }

  @inline(__always)
  private func join(_ neighbour: Int, _ own: inout Int32) {
    let pixel = map[neighbour]
    if pixel != Self.absent { own = join(root(of: pixel), own) }
  }

  /// The pixel that represents the set of a pixel.
  @inline(__always)
  func root(of pixel: Int32) -> Int32 {
    var pixel = pixel
    while cells[Int(pixel)].parent != pixel {
      let parent = cells[Int(cells[Int(pixel)].parent)].parent
      cells[Int(pixel)].parent = parent
      pixel = parent
    }
    return pixel
  }

  func count(_ root: Int32) -> Int32 { cells[Int(root)].count }
  func flux(_ root: Int32) -> Double { cells[Int(root)].flux }

  /// The first `count` pixels of the list that begins with `first`, in ascending order.
  func pixels(_ first: Int32, count: Int32) -> [Int32] {
    var pixel = first
    var pixels: [Int32] = []
    pixels.reserveCapacity(Int(count))
    for _ in 0..<count {
      pixels.append(pixel)
      pixel = cells[Int(pixel)].successor
    }
    return pixels.sorted()
  }

  /// Joins two sets. The larger set's root represents both, so that a root always begins its set's
  /// list.
  @inline(__always)
  private func join(_ one: Int32, _ other: Int32) -> Int32 {
    guard one != other else { return one }
    let (large, small) = count(one) >= count(other) ? (one, other) : (other, one)
    cells[Int(small)].parent = large
    cells[Int(cells[Int(large)].last)].successor = small
    cells[Int(large)].last = cells[Int(small)].last
    cells[Int(large)].count += cells[Int(small)].count
    cells[Int(large)].flux += cells[Int(small)].flux
    return large
  }

  // MARK: Branches that meet

  /// Records that a branch is in the set of its pixel.
  func meet(_ pixel: Int32, isStrong: Bool, _ isWhole: Bool) {
    let root = Int(root(of: pixel))
    if isStrong { cells[root].strongCount += 1 }
    if !isWhole { cells[root].isWhole = false }
  }

  func strongCount(_ root: Int32) -> Int32 { cells[Int(root)].strongCount }
  func isWhole(_ root: Int32) -> Bool { cells[Int(root)].isWhole }

  /// Whether this is the first call for the set since ``forgetVisit(_:)``.
  func isFirstVisit(_ root: Int32) -> Bool {
    defer { cells[Int(root)].isVisited = true }
    return !cells[Int(root)].isVisited
  }

  /// Forgets everything that was recorded for the set.
  func forgetVisit(_ root: Int32) {
    cells[Int(root)].isVisited = false
    cells[Int(root)].strongCount = 0
    cells[Int(root)].isWhole = true
  }
}

import SkyDetection

/// The tint of each sector.
struct SectorTints: Sendable {
  /// The systems' names, sorted. A system's index among them is its tint's number.
  let names: [String]
  private let grid: SectorGrid
  private let numbers: [Int: Int]

  /// - Parameter systems: for each sector's number, the name of the system that scanned it.
  init(grid: SectorGrid, systems: [Int: String]) {
    let systems = systems.filter { (0..<grid.count).contains($0.key) }
    let names = Set(systems.values).sorted()
    let places = Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
    self.grid = grid
    self.names = names
    numbers = systems.compactMapValues { places[$0] }
  }

  /// The number of sectors that no system scanned.
  var failedCount: Int { grid.count - numbers.count }

  /// The tint of the sector in a column and row of the grid.
  subscript(column: Int, row: Int) -> Tint {
    numbers[row * grid.columns + column].map { .system($0) } ?? .failed
  }

  /// The side of a sector, in pixels of the image.
  var side: Int { grid.side }
}

/// The tints along a row of a picture. They are looked up only where another row of sectors begins,
/// and not for each pixel.
struct TintedRow {
  private let tints: SectorTints
  /// The grid's column for each column of the picture.
  private let columns: [Int]
  private var row: Int?
  private var current: [Tint] = []

  /// - Parameter columns: the image's column for each column of the picture.
  init(tints: SectorTints, columns: [Int]) {
    self.tints = tints
    self.columns = columns.map { $0 / tints.side }
  }

  /// Moves to a row of the image. Returns whether another row of sectors begins there.
  mutating func move(to imageRow: Int) -> Bool {
    let next = imageRow / tints.side
    guard next != row else { return false }
    row = next
    current = columns.map { tints[$0, next] }
    return true
  }

  /// The tint of a column of the picture.
  subscript(x: Int) -> Tint { current[x] }

  /// Whether another sector begins at a column of the picture.
  func isEdge(_ x: Int) -> Bool { x > 0 && columns[x] != columns[x - 1] }
}

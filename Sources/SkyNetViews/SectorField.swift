/// The sectors of a run as a field of cells, each for one sector, or for several neighbours where there are
/// too many.
package struct SectorField: Sendable {
  /// The most cells.
  package static let cellLimit = 65_536

  /// What has happened to the sectors of a cell.
  package struct Cell: Sendable {
    package fileprivate(set) var completed: UInt32 = 0
    package fileprivate(set) var failed: UInt32 = 0
    /// The attempts at its sectors that are in flight.
    package fileprivate(set) var inFlight: UInt32 = 0
    /// The row of the system that last got or did a task of the cell; `UInt16.max` if none has.
    package fileprivate(set) var system = UInt16.max
    /// The pass of the task that was handed out or done last.
    package fileprivate(set) var pass: UInt8 = 0
    /// The field's version at the cell's last change.
    package fileprivate(set) var version: UInt32 = 0
  }

  package private(set) var sectors: Int
  /// How many sectors a cell stands for; the last one may stand for fewer.
  package private(set) var sectorsPerCell: Int
  package private(set) var cells: [Cell]
  /// A number that grows with ``nextVersion()``. Changes since a version are in the cells of a later one.
  package private(set) var version: UInt32

  package init(sectors: Int, version: UInt32 = 1) {
    self.version = version
    self.sectors = sectors
    sectorsPerCell = max(1, (sectors + Self.cellLimit - 1) / Self.cellLimit)
    cells = Array(repeating: Cell(), count: (sectors + sectorsPerCell - 1) / sectorsPerCell)
  }

  /// Begins a new version, and returns the one before: a viewer that was given all changes up to it needs only
  /// the cells of later versions.
  package mutating func nextVersion() -> UInt32 {
    defer { version += 1 }
    return version
  }

  /// The run has more sectors than before. Where cells become too many, each two neighbours become one.
  mutating func grow(to sectors: Int) {
    guard sectors > self.sectors else { return }
    self.sectors = sectors
    while sectors > Self.cellLimit * sectorsPerCell {
      sectorsPerCell *= 2
      // Also a last cell without a neighbour is another one than before: it has another number.
      cells = stride(from: 0, to: cells.count, by: 2).map { index in
        cells[index].merged(with: index + 1 < cells.count ? cells[index + 1] : Cell(), version)
      }
    }
    let count = (sectors + sectorsPerCell - 1) / sectorsPerCell
    var empty = Cell()
    empty.version = version
    cells += Array(repeating: empty, count: count - cells.count)
  }

  mutating func handedOut(_ sector: Int, to system: Int, pass: Int) {
    change(sector) { cell in
      cell.inFlight += 1
      cell.set(system, pass)
    }
  }

  mutating func cameBack(_ sector: Int) {
    change(sector) { cell in if cell.inFlight > 0 { cell.inFlight -= 1 } }
  }

  mutating func passed(_ sector: Int, by system: Int, pass: Int) {
    change(sector) { $0.set(system, pass) }
  }

  mutating func done(_ sector: Int, by system: Int, pass: Int) {
    change(sector) { cell in
      cell.completed += 1
      cell.set(system, pass)
    }
  }

  mutating func failed(_ sector: Int) {
    change(sector) { $0.failed += 1 }
  }

  private mutating func change(_ sector: Int, _ body: (inout Cell) -> Void) {
    let index = sectorsPerCell == 1 ? sector : sector / sectorsPerCell
    guard cells.indices.contains(index) else { return }
    body(&cells[index])
    cells[index].version = version
  }
}

extension SectorField.Cell {
  /// One cell for the sectors of this one and of its neighbour.
  fileprivate func merged(with next: Self, _ version: UInt32) -> Self {
    var cell = next.version > self.version ? next : self
    cell.completed = completed + next.completed
    cell.failed = failed + next.failed
    cell.inFlight = inFlight + next.inFlight
    cell.version = version
    return cell
  }

  fileprivate mutating func set(_ system: Int, _ pass: Int) {
    self.system = UInt16(clamping: system)
    self.pass = UInt8(clamping: pass)
  }
}

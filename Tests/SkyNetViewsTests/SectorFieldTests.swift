import SkyNetCore
import Testing

@testable import SkyNetViews

@Suite("The field of a run that grows")
struct SectorFieldTests {
  private func changed(_ field: SectorField, after version: UInt32) -> [Int] {
    field.cells.indices.filter { field.cells[$0].version > version }
  }

  @Test("What has happened stays where it was, and the new cells are told")
  func growth() {
    var field = SectorField(sectors: 0)
    field.grow(to: 3)
    field.done(1, by: 0, pass: 0)
    let seen = field.nextVersion()
    field.grow(to: 5)
    #expect(field.sectors == 5 && field.sectorsPerCell == 1)
    #expect(field.cells.map(\.completed) == [0, 1, 0, 0, 0])
    #expect(changed(field, after: seen) == [3, 4])
    field.handedOut(4, to: 2, pass: 0)
    #expect(field.cells[4].inFlight == 1 && field.cells[4].system == 2)
  }

  @Test("A field does not shrink")
  func shrinking() {
    var field = SectorField(sectors: 5)
    field.grow(to: 3)
    #expect(field.sectors == 5 && field.cells.count == 5)
  }

  @Test("Where cells become too many, neighbours become one, and all are told again")
  func merging() {
    let limit = SectorField.cellLimit
    var field = SectorField(sectors: 0)
    field.grow(to: limit - 1)
    for sector in [0, 1, limit - 2] {
      field.done(sector, by: sector == 1 ? 1 : 0, pass: sector % 2)
    }
    field.handedOut(2, to: 3, pass: 0)
    field.failed(3)
    let seen = field.nextVersion()
    field.grow(to: limit + 1)
    #expect(field.sectorsPerCell == 2 && field.cells.count == limit / 2 + 1)
    #expect(field.cells[0].completed == 2)
    #expect(
      field.cells[1].inFlight == 1 && field.cells[1].failed == 1 && field.cells[1].system == 3)
    // The cell before had no neighbour, and has another number than before too.
    #expect(field.cells[limit / 2 - 1].completed == 1)
    #expect(changed(field, after: seen).count == field.cells.count)
    field.done(limit, by: 4, pass: 0)
    #expect(field.cells[limit / 2].completed == 1)
    field.cameBack(2)
    #expect(field.cells[1].inFlight == 0)
  }

  @Test("A cell of two neighbours belongs to the system that changed it last")
  func latestSystem() {
    var field = SectorField(sectors: 0)
    field.grow(to: SectorField.cellLimit)
    field.done(0, by: 5, pass: 0)
    field.done(3, by: 5, pass: 0)
    _ = field.nextVersion()
    field.done(1, by: 6, pass: 1)
    field.done(2, by: 6, pass: 1)
    field.grow(to: SectorField.cellLimit + 1)
    #expect(field.cells[0].system == 6 && field.cells[0].pass == 1)
    #expect(field.cells[1].system == 6 && field.cells[1].pass == 1)
  }

  @Test("A field may grow by more than twice at once")
  func largeStep() {
    var field = SectorField(sectors: 0)
    field.grow(to: 10)
    field.done(9, by: 0, pass: 0)
    field.grow(to: 10 * SectorField.cellLimit)
    #expect(field.sectorsPerCell == 16)
    #expect(field.cells.count == 10 * SectorField.cellLimit / 16)
    #expect(field.cells[0].completed == 1)
  }
}

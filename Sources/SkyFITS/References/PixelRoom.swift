import Foundation
import SkyDetection
import Synchronization

/// Memory for pixels, which is not filled with zeros first.
package final class PixelRoom {
  let bytes: UnsafeMutableRawBufferPointer
  private let piece: SpareMemory.Piece
  private var isTaken = false

  convenience init(_ rectangle: PixelRectangle, _ format: PixelCoding.Format) {
    self.init(byteCount: rectangle.width * rectangle.height * format.bytesPerPixel)
  }

  init(byteCount count: Int) {
    piece = SpareMemory.shared.take(count)
    bytes = UnsafeMutableRawBufferPointer(rebasing: piece.memory[..<count])
  }

  deinit { if !isTaken { SpareMemory.shared.give(piece) } }

  /// Frees the memory that is kept for the next pixels.
  package static func freeSpare() { SpareMemory.shared.free() }

  /// The bytes, once they are filled, as a value that gives the memory back. May be called once.
  func take() -> Data {
    isTaken = true
    return Data(
      bytesNoCopy: bytes.baseAddress!, count: bytes.count,
      deallocator: .custom { [piece] _, _ in SpareMemory.shared.give(piece) })
  }
}

/// Memory that was used for pixels, for the next ones: the kernel fills each new page with zeros,
/// which takes as long as reading pixels into it.
private final class SpareMemory: Sendable {
  /// Memory that only its owner uses, and nothing while it is spare: so it may be passed on
  /// between threads.
  struct Piece: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
  }

  static let shared = SpareMemory()

  /// The most bytes that are kept, and the most pieces.
  private static let most = 64 << 20
  private static let mostPieces = 64

  private struct State {
    var pieces: [Piece] = []
    var bytes = 0
  }

  private let state = Mutex(State())

  /// Returns memory of at least this many bytes, and of hardly more than twice as many.
  func take(_ count: Int) -> Piece {
    let sizes = count...max(2 * count, 1 << 16)
    let spare = state.withLock { state -> Piece? in
      let fitting = state.pieces.indices.filter { sizes.contains(state.pieces[$0].memory.count) }
      let sizes = state.pieces.map(\.memory.count)
      guard let index = fitting.min(by: { sizes[$0] < sizes[$1] }) else { return nil }
      state.bytes -= sizes[index]
      return state.pieces.remove(at: index)
    }
    return spare ?? Piece(memory: .allocate(byteCount: max(count, 1), alignment: 16))
  }

  /// Keeps memory for later, or frees it if enough is kept.
  func give(_ piece: Piece) {
    let isKept = state.withLock { state in
      guard state.bytes + piece.memory.count <= Self.most,
        state.pieces.count < Self.mostPieces
      else { return false }
      state.pieces.append(piece)
      state.bytes += piece.memory.count
      return true
    }
    if !isKept { piece.memory.deallocate() }
  }

  func free() {
    let pieces = state.withLock { state in
      defer { state = State() }
      return state.pieces
    }
    for piece in pieces { piece.memory.deallocate() }
  }
}

import Foundation
import SkyDetection
import SkyFITS
import SkyNetCore
import Testing

@testable import SkyScan

@Suite("Patches in a cache")
struct CachedPatchesTests {
  private let now = ContinuousClock.now
  private let image = CachedImage.random()
  private let format: CachedFormat

  init() throws {
    format = CachedFormat(
      SourceScan.Settings(
        grid: try SectorGrid(width: 640, height: 64, side: 64),
        coding: PixelCoding(format: .uint8)))
  }

  /// A patch of 100 bytes.
  private func patch(_ number: Int) -> ImagePatch {
    ImagePatch(
      PixelRectangle(x: 64 * number, y: 0, width: 10, height: 10),
      pixels: BulkBytes(Data(repeating: UInt8(number), count: 100)))
  }

  private func keep(
    _ number: Int, in cache: inout CachedPatches, isUsed: Bool = false, after seconds: Double = 0
  ) {
    cache.keep(patch(number), of: image, format, isUsed: isUsed, at: now + .seconds(seconds))
  }

  private func found(
    _ number: Int, in cache: inout CachedPatches, isLast: Bool = false, after seconds: Double = 0
  ) -> ImagePatch? {
    cache.patch(
      holding: patch(number).rectangle, of: image, format, isLast: isLast,
      at: now + .seconds(seconds))
  }

  @Test("A patch is found by any rectangle in it, for its image and coding alone")
  func found() throws {
    var cache = CachedPatches(capacity: 1000)
    keep(3, in: &cache)
    let part = PixelRectangle(x: 193, y: 2, width: 5, height: 8)
    #expect(cache.patch(holding: part, of: image, format, at: now) == patch(3))
    let beyond = PixelRectangle(x: 193, y: 2, width: 10, height: 8)
    #expect(cache.patch(holding: beyond, of: image, format, at: now) == nil)
    #expect(cache.patch(holding: part, of: .random(), format, at: now) == nil)
    let other = CachedFormat(
      SourceScan.Settings(
        grid: try SectorGrid(width: 640, height: 64, side: 64),
        coding: PixelCoding(format: .float32)))
    #expect(cache.patch(holding: part, of: image, other, at: now) == nil)
  }

  @Test("A patch that was used makes room; one that waits for its use does not")
  func room() {
    var cache = CachedPatches(capacity: 300)
    for number in 0..<4 { keep(number, in: &cache) }
    #expect(cache.bytes == 300)
    #expect(found(3, in: &cache) == nil, "there was no room for it")
    #expect(found(1, in: &cache) == patch(1))
    keep(4, in: &cache)
    #expect(found(1, in: &cache) == nil, "it has made room")
    for number in [0, 2, 4] { #expect(found(number, in: &cache) == patch(number)) }
    keep(5, in: &cache, isUsed: true)
    keep(6, in: &cache)
    #expect(found(0, in: &cache) == nil && found(2, in: &cache) == nil)
    for number in [4, 5, 6] { #expect(found(number, in: &cache) == patch(number)) }
    #expect(cache.bytes == 300)
  }

  @Test("What is used for the last time is kept no more, and what is kept again counts once")
  func last() {
    var cache = CachedPatches(capacity: 1000)
    keep(1, in: &cache)
    keep(1, in: &cache)
    #expect(cache.bytes == 100)
    #expect(found(1, in: &cache, isLast: true) == patch(1))
    #expect(cache.bytes == 0 && found(1, in: &cache) == nil)
  }

  @Test("A patch that was used and is brought again waits for its next use")
  func again() {
    var cache = CachedPatches(capacity: 200)
    keep(1, in: &cache)
    _ = found(1, in: &cache)
    keep(1, in: &cache)
    keep(2, in: &cache)
    keep(3, in: &cache)
    #expect(found(3, in: &cache) == nil && found(1, in: &cache) == patch(1))
  }

  @Test("A patch beyond the capacity is not kept, and drops nothing")
  func tooLarge() {
    var cache = CachedPatches(capacity: 99)
    keep(1, in: &cache)
    #expect(cache.bytes == 0 && found(1, in: &cache) == nil)
  }

  @Test("An image that was not used for long makes room, and is dropped")
  func idle() {
    var cache = CachedPatches(capacity: 300)
    for number in 0..<3 { keep(number, in: &cache) }
    _ = found(1, in: &cache, after: 500)
    cache.keep(patch(4), of: .random(), format, isUsed: false, at: now + .seconds(1000))
    #expect(found(0, in: &cache, after: 1000) == patch(0), "the image was used 500 s ago")
    cache.dropIdle(at: now + .seconds(1700))
    #expect(cache.bytes == 0 && found(0, in: &cache) == nil)
  }
}

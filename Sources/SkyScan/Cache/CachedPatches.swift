import DequeModule
import SkyDetection
import SkyNetCore

/// The patches in a cache of bounded size, and which of them are dropped to make room.
///
/// Tasks use patches in the order in which earlier tasks brought them, once each, as the passes of
/// an image go over its sectors in the same order. To drop the patch that was not used for longest
/// (LRU) would drop just the one that is used next. So a patch that was used makes room for a new
/// one, and one that still waits for its use does not: then the new one is not kept. Images of
/// which nothing was used for ``idleLimit`` are dropped whole, as their engagement has probably
/// ended.
struct CachedPatches {
  static let idleLimit = Duration.seconds(600)

  private struct Image {
    var format: CachedFormat
    var patches: [PixelRectangle: Entry] = [:]
    var lastUse: ContinuousClock.Instant
  }

  private struct Entry {
    let patch: ImagePatch
    var wasUsed: Bool
  }

  private struct Place {
    let image: CachedImage
    let rectangle: PixelRectangle
  }

  /// The most bytes of pixels and weights.
  let capacity: Int
  /// The bytes of the pixels and weights that are kept.
  private(set) var bytes = 0
  private var images: [CachedImage: Image] = [:]
  /// The patches that were used, in the order of their first use. A patch may have been removed since, or replaced by
  /// one that was not used yet.
  private var used: Deque<Place> = []

  init(capacity: Int) { self.capacity = capacity }

  /// Keeps a patch, if there is room for it.
  ///
  /// - Parameters:
  ///   - patch: a patch that fits the format.
  ///   - isUsed: whether no later task is sure to need it.
  mutating func keep(
    _ patch: ImagePatch, of image: CachedImage, _ format: CachedFormat, isUsed: Bool,
    at now: ContinuousClock.Instant
  ) {
    guard patch.byteCount <= capacity else { return }
    if let known = images[image], known.format != format { drop(image) }
    let place = Place(image: image, rectangle: patch.rectangle)
    let former = remove(place)
    makeRoom(for: patch.byteCount, at: now)
    guard bytes + patch.byteCount <= capacity else { return }
    images[image, default: Image(format: format, lastUse: now)]
      .patches[patch.rectangle] = Entry(patch: patch, wasUsed: isUsed)
    images[image]?.lastUse = now
    bytes += patch.byteCount
    if isUsed, former?.wasUsed != true { used.append(place) }
  }

  /// A patch that holds this rectangle; `nil` if none is kept.
  ///
  /// - Parameter isLast: whether no later task needs it, so that it is kept no more.
  mutating func patch(
    holding rectangle: PixelRectangle, of image: CachedImage, _ format: CachedFormat,
    isLast: Bool = false, at now: ContinuousClock.Instant
  ) -> ImagePatch? {
    guard let known = images[image], known.format == format else { return nil }
    let holder =
      known.patches[rectangle] == nil
      ? known.patches.keys.first { $0.holds(rectangle) } : rectangle
    guard let holder, let entry = known.patches[holder] else { return nil }
    images[image]?.lastUse = now
    if isLast {
      remove(Place(image: image, rectangle: holder))
    } else if !entry.wasUsed {
      images[image]?.patches[holder]?.wasUsed = true
      used.append(Place(image: image, rectangle: holder))
    }
    return entry.patch
  }

  /// Drops the images of which no patch was kept or used lately.
  mutating func dropIdle(at now: ContinuousClock.Instant) {
    for (name, image) in images where image.lastUse + Self.idleLimit <= now { drop(name) }
    if images.isEmpty { used.removeAll(keepingCapacity: false) }
  }

  mutating func dropAll() { self = CachedPatches(capacity: capacity) }

  private mutating func makeRoom(for count: Int, at now: ContinuousClock.Instant) {
    while bytes + count > capacity, let first = used.popFirst() {
      if images[first.image]?.patches[first.rectangle]?.wasUsed == true { remove(first) }
    }
    if bytes + count > capacity { dropIdle(at: now) }
  }

  @discardableResult
  private mutating func remove(_ place: Place) -> Entry? {
    guard let entry = images[place.image]?.patches.removeValue(forKey: place.rectangle) else {
      return nil
    }
    bytes -= entry.patch.byteCount
    if images[place.image]?.patches.isEmpty == true { images[place.image] = nil }
    return entry
  }

  private mutating func drop(_ image: CachedImage) {
    for entry in (images.removeValue(forKey: image)?.patches ?? [:]).values {
      bytes -= entry.patch.byteCount
    }
  }
}

extension ImagePatch {
  /// The bytes of its pixels and weights.
  var byteCount: Int { pixels.bytes.count + (weights?.bytes.count ?? 0) }
}

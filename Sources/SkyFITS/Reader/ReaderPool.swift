/// The readers that run, and how busy they are; it decides which one takes the next file.
struct ReaderPool {
  /// While one decodes an image, the other opens the next. More would only take memory from
  /// detection, which needs the processors.
  static let most = 2

  /// A reader, with the number of files that it is opening and of open images that only it can
  /// decode. Pixels of plain images are read without it.
  private var entries: [(reader: Reader, load: Int)] = []

  var readers: [Reader] { entries.map(\.reader) }

  /// The reader for a file: an idle one, or else one that `start` makes, or the least busy one. It
  /// counts as busy until ``release(_:)``.
  mutating func claim(
    _ start: () throws(ReaderEnding) -> Reader
  ) throws(ReaderEnding) -> Reader {
    entries.removeAll { $0.reader.isGone }
    let least = entries.indices.min { entries[$0].load < entries[$1].load }
    if let least, entries[least].load == 0 || entries.count == Self.most {
      entries[least].load += 1
      return entries[least].reader
    }
    do {
      entries.append((try start(), 1))
    } catch {
      // One reader is enough.
      guard let least else { throw error }
      entries[least].load += 1
      return entries[least].reader
    }
    return entries[entries.count - 1].reader
  }

  mutating func release(_ reader: Reader) {
    guard let index = entries.firstIndex(where: { $0.reader === reader }) else { return }
    entries[index].load -= 1
  }

  mutating func removeAll() { entries = [] }
}

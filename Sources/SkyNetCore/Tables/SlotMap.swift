/// Values by the keys that one ``SlotMapKeys`` gives out: an array, where a dictionary would have
/// to hash. It takes as much memory as there were ever keys at a time.
struct SlotMap<Value: Sendable>: Sendable {
  private struct Entry {
    /// The key of the value; 0 if there is no value.
    var key: UInt64 = 0
    var value: Value?
  }

  private var entries: [Entry] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// All keys, from the first that was given out to the last.
  var keys: [UInt64] { entries.lazy.map(\.key).filter { $0 != 0 }.sorted() }

  subscript(key: UInt64) -> Value? {
    get {
      let index = SlotMapKeys.index(of: key)
      return index < entries.count && entries[index].key == key ? entries[index].value : nil
    }
    set {
      guard let newValue else {
        _ = removeValue(forKey: key)
        return
      }
      let index = SlotMapKeys.index(of: key)
      while entries.count <= index { entries.append(Entry()) }
      if entries[index].key == 0 { count += 1 }
      entries[index] = Entry(key: key, value: newValue)
    }
  }

  mutating func removeValue(forKey key: UInt64) -> Value? {
    let index = SlotMapKeys.index(of: key)
    guard index < entries.count, entries[index].key == key else { return nil }
    count -= 1
    entries[index].key = 0
    return entries[index].value.take()
  }
}

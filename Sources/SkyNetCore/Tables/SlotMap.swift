/// What belongs to the numbers that one ``SlotMapKeys`` gives out: an array, where a dictionary would
/// hash. It takes as much memory as there were numbers at a time.
struct SlotMap<Value: Sendable>: Sendable {
  private struct Place {
    /// 0 if there is none.
    var number: UInt64 = 0
    var value: Value?
  }

  private var places: [Place] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// From the first that was given to the last.
  var numbers: [UInt64] { places.lazy.map(\.number).filter { $0 != 0 }.sorted() }

  subscript(number: UInt64) -> Value? {
    get {
      let place = SlotMapKeys.place(of: number)
      return place < places.count && places[place].number == number ? places[place].value : nil
    }
    set {
      guard let newValue else {
        _ = removeValue(forKey: number)
        return
      }
      let place = SlotMapKeys.place(of: number)
      while places.count <= place { places.append(Place()) }
      if places[place].number == 0 { count += 1 }
      places[place] = Place(number: number, value: newValue)
    }
  }

  mutating func removeValue(forKey number: UInt64) -> Value? {
    let place = SlotMapKeys.place(of: number)
    guard place < places.count, places[place].number == number else { return nil }
    count -= 1
    places[place].number = 0
    return places[place].value.take()
  }
}

/// Values from a peer are checked here, so that code that counts with them need not.
extension KeyedDecodingContainer {
  /// Sums of many counts up to this one cannot overflow.
  package static var greatestCount: Int { 1 << 40 }

  package func decodeCount(
    atMost limit: Int = Self.greatestCount, forKey key: Key
  ) throws -> Int {
    let count = try decode(Int.self, forKey: key)
    guard count >= 0, count <= limit else { throw impossible("a count of \(count)", forKey: key) }
    return count
  }

  /// Reads counts by name, of at most 65,536 names.
  package func decodeCounts(forKey key: Key) throws -> [String: Int] {
    let counts = try decode([String: Int].self, forKey: key)
    guard counts.count <= 1 << 16,
      counts.values.allSatisfy({ $0 >= 0 && $0 <= Self.greatestCount })
    else { throw impossible("such a table of counts", forKey: key) }
    return counts
  }

  /// Reads a time that a peer reports, in seconds: some thirty years at most.
  package func decodeSeconds(forKey key: Key) throws -> Double {
    try decodeNumber(upTo: 1e9, forKey: key)
  }

  /// Reads a number that is not negative and may have a fraction.
  package func decodeNumber(upTo limit: Double, forKey key: Key) throws -> Double {
    let number = try decode(Double.self, forKey: key)
    guard (0...limit).contains(number) else {
      throw impossible("a number of \(number)", forKey: key)
    }
    return number
  }

  package func decodeName(forKey key: Key) throws -> String {
    let name = try decodeLine(atMost: PeerName.maximumBytes, forKey: key)
    guard !name.isEmpty else { throw impossible("an empty name", forKey: key) }
    return name
  }

  package func decodeLine(atMost limit: Int, forKey key: Key) throws -> String {
    let line = try decode(String.self, forKey: key)
    guard PeerName.isShortLine(line, atMost: limit) else {
      throw impossible("a text of \(line.utf8.count) bytes", forKey: key)
    }
    return line
  }

  package func decodeList<Element: Decodable>(
    atMost limit: Int, forKey key: Key
  ) throws -> [Element] {
    let list = try decode([Element].self, forKey: key)
    guard list.count <= limit else { throw impossible("\(list.count) elements", forKey: key) }
    return list
  }

  package func impossible(_ what: String, forKey key: Key) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: "\(what) cannot be")
  }
}

extension String {
  /// The first thousand scalars of the text. Error messages may quote all that a peer sent, and are
  /// cut by this.
  package var bounded: String { shortened(to: 1000) }

  /// The first scalars of the text, as many as this, and a mark where there are more.
  package func shortened(to count: Int) -> String {
    let end = unicodeScalars.index(startIndex, offsetBy: count, limitedBy: endIndex)
    guard let end, end < endIndex else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }
}

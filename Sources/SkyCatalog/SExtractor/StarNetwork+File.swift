import SkyDetection

extension StarNetwork {
  /// Reads a network from the text of a SExtractor network file. The first line begins with `NNW`. Numbers follow,
  /// separated by spaces and line ends: the number of layers, which is 3, and of the neurons in each, of which the first
  /// one has 10 and the last one has 1; an offset for each input, and a scale for each; for each neuron behind them a
  /// weight for each neuron before it, and an offset; and the offset and the scale of the output. Lines that begin with #
  /// are comments.
  ///
  /// - Throws: `InvalidScan` if the text is no such file.
  init(networkFile text: String) throws {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.first?.hasPrefix("NNW") == true else {
      throw InvalidScan("its first line is no NNW, with which a file of a network begins")
    }
    var numbers: [Double] = []
    for (offset, line) in lines.enumerated().dropFirst() {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      for word in words {
        guard let number = Double(word), number.isFinite else {
          throw InvalidScan(
            "line \(offset + 1) has \(FileWord.quoted(word, or: "something else")) where a number is "
              + "needed")
        }
        numbers.append(number)
      }
    }
    let inputs = Self.inputCount
    guard numbers.count >= 4, numbers[0] == 3, numbers[1] == Double(inputs), numbers[3] == 1,
      let neurons = Int(exactly: numbers[2]), Self.hiddenCounts.contains(neurons)
    else {
      throw InvalidScan(
        "it does not begin with the numbers of neurons: 3 layers, of \(inputs), "
          + "\(Self.hiddenCounts.lowerBound) to \(Self.hiddenCounts.upperBound), and 1")
    }
    let needed = 4 + 2 * inputs + neurons * (inputs + 1) + neurons + 1 + 2
    guard numbers.count == needed else {
      throw InvalidScan(
        "it has \(numbers.count) numbers, and one of \(neurons) neurons has \(needed)")
    }
    var rest = numbers[4...]
    func take(_ count: Int) -> [Double] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    offsets = take(inputs)
    scales = take(inputs)
    hidden = (0..<neurons).map { _ in take(inputs + 1) }
    last = take(neurons + 1)
    (outputOffset, outputScale) = (take(1)[0], take(1)[0])
    guard outputScale != 0 else { throw InvalidScan("the scale of its output is 0") }
  }

  /// How many neurons may be between the inputs and the last one.
  private static let hiddenCounts = 1...100
}

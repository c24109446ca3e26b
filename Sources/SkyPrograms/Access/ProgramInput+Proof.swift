import SkyFiles

extension ProgramInput {
  /// All that the program and its run depend on. A proof for these bytes is for nothing else.
  package func proofBytes(_ settings: ProgramSettings) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ text: String) {
      // With its length first, no two lists of texts are the same bytes.
      withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: text.utf8)
    }
    add("program")
    add("\(settings.words.count)")
    for word in settings.words { add(word) }
    add(settings.directory ?? "")
    add(settings.givesInput ? "stdin" : "")
    add("\(number)")
    add("\(place ?? number)")
    // An input without a text is its number.
    add(text == nil ? "" : "text")
    add(text ?? "")
    return bytes
  }
}

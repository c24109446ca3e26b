public import SkyDetection

extension SmoothingKernel {
  /// Reads a kernel from the text of a SExtractor convolution file. The first line is `CONV NORM`
  /// or `CONV NONORM`, which tells whether the weights are normalised; `CONV` alone, in old files,
  /// means NORM. The kernel's rows follow, one per line, as numbers separated by spaces. Lines that
  /// begin with # are comments.
  ///
  /// SExtractor reads a word that is not a number as 0, and reads rows of different lengths as one
  /// list. Here, both are faults. SExtractor also accepts even sides, whose middle is half a pixel
  /// off. Here, they are refused.
  ///
  /// - Throws: `InvalidScan` with the line's number if the text is not such a file, or if
  ///   `check()` refuses the kernel.
  public init(convolutionFile text: String) throws {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    let first = lines.popFirst() ?? ""
    guard first.hasPrefix("CONV") else {
      throw InvalidScan(
        "line 1 of the smoothing kernel is \(FileWord.quoted(first, or: "something else")); "
          + "CONV NORM or CONV NONORM is needed, with rows of numbers after it")
    }
    var weights: [Float] = []
    var (width, height) = (0, 0)
    for (offset, line) in lines.enumerated() {
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard let start = fields.first, !start.hasPrefix("#") else { continue }
      let row = try fields.map { field in
        guard let weight = Float(field), weight.isFinite else {
          throw InvalidScan(
            "line \(offset + 2) of the smoothing kernel has "
              + "\(FileWord.quoted(field, or: "something else")); a number is needed")
        }
        return weight
      }
      guard height == 0 || row.count == width else {
        throw InvalidScan(
          "line \(offset + 2) of the smoothing kernel has \(row.count) numbers; \(width) are "
            + "needed, as in the rows before")
      }
      weights += row
      width = row.count
      height += 1
    }
    self.init(
      width: width, height: height, weights: weights,
      isNormalised: !first.contains("NONORM"))
    try check()
  }
}

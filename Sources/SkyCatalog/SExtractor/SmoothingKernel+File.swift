public import SkyDetection

extension SmoothingKernel {
  /// Reads a kernel from the text of a file that SExtractor smooths with: a line `CONV NORM` or
  /// `CONV NONORM`, which says whether the weights are to be normalised, and then the kernel's rows,
  /// one a line, of numbers with spaces between them. Lines that begin with # are comments. `CONV`
  /// alone is normalised, as it is in old files.
  ///
  /// SExtractor reads what is no number as 0, and rows of different lengths in their place as one
  /// list; here both are faults. It takes even sides too, whose middle is then half a pixel off;
  /// they are refused.
  ///
  /// - Throws: ``InvalidScan`` with the line's number if the text is no such file, or the kernel is
  ///   not one that ``check()`` lets pass.
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

extension String {
  /// The text as a cell of a table that a spreadsheet may open. What a spreadsheet would run as a formula gets an
  /// apostrophe before it, which has it taken for text (OWASP, "CSV Injection"). A number is no formula.
  ///
  /// Where a spreadsheet takes other separators than the table's, a part of the text is a cell of its own. So a formula's
  /// first character has an apostrophe before it there too.
  package var asCell: String {
    guard Double(self) == nil else { return self }
    var cell: [UInt8] = []
    var startsCell = true
    for (place, byte) in utf8.enumerated() {
      let isFormula = "=+-@".utf8.contains(byte) || place == 0 && "\t\r\n".utf8.contains(byte)
      if startsCell, isFormula { cell.append(UInt8(ascii: "'")) }
      cell.append(byte)
      // A spreadsheet may skip spaces before a formula.
      startsCell = ";\t\r\n".utf8.contains(byte) || startsCell && byte == UInt8(ascii: " ")
    }
    return String(decoding: cell, as: UTF8.self)
  }
}

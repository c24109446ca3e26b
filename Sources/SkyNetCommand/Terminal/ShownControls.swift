import SkyNetCore

extension String {
  /// One line, with control characters written as escapes.
  package var showingControls: String { hasControls ? escaping(\.isControl) : self }

  fileprivate func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if isEscaped(scalar) {
        text += scalar.escaped(asASCII: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Collection<UInt8> {
  /// Lines for a terminal, with control characters but line feeds and tabs written as escapes. Bytes that are no UTF-8,
  /// which a terminal might take for control characters, become U+FFFD.
  package var linesShowingControls: [UInt8] {
    let text = String(decoding: self, as: UTF8.self)
    return Array(text.escaping { $0.isControl && $0 != "\n" && $0 != "\t" }.utf8)
  }
}

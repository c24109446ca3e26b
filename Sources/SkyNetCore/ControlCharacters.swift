extension Unicode.Scalar {
  /// Whether the scalar must not reach a terminal: terminals obey it, or show the text around it in another order than it
  /// has, instead of showing it. These are Unicode's category Cc (C0, DEL and C1), the separators of lines and paragraphs,
  /// and the marks of direction (UAX #9) with the deprecated format characters behind them.
  ///
  /// Looking each one up in Unicode's tables would take longer than all other work on a line.
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x206F: true
    default: false
    }
  }
}

extension String {
  /// Whether one of its scalars is a control character.
  package var hasControls: Bool {
    // Hardly any text has some, and most is ASCII: the bytes tell that soonest.
    utf8.contains { $0 < 0x20 || $0 >= 0x7F } && unicodeScalars.contains(where: \.isControl)
  }
}

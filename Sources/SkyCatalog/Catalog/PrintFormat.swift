/// How a number is printed in SExtractor's formats, as C's `printf` does.
public enum PrintFormat: Hashable, Sendable {
  /// `%w.pf`, or with a plus sign `%+w.pf`.
  case fixed(width: Int, places: Int, signed: Bool = false)
  /// `%w.dg`.
  case general(width: Int, digits: Int)
  /// `%w.de`, with the digits after the point.
  case exponent(width: Int, digits: Int)
  /// `%wd`.
  case integer(width: Int)
}

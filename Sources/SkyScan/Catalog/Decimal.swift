/// A number with four decimals, the last one rounded, halves away from zero; the same text in
/// every country. Numbers too large to have four decimals are written as Swift writes them.
func decimal(_ value: Double) -> String {
  let scaled = (value * 10_000).rounded()
  guard abs(scaled) < 1e15 else { return value.description }
  let digits = String(Int64(abs(scaled)))
  let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  return (scaled < 0 ? "-" : "") + padded.dropLast(4) + "." + padded.suffix(4)
}

/// Time limits as Slurm reads them.
enum SlurmTime {
  /// `HH:MM:SS`, with `D-` in front from a day on; a part of a second counts as one. Slurm itself rounds a limit up to
  /// whole minutes.
  static func text(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.up))
    let (days, rest) = whole.quotientAndRemainder(dividingBy: 86_400)
    let parts = [rest / 3600, rest / 60 % 60, rest % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
    return (days > 0 ? "\(days)-" : "") + parts.joined(separator: ":")
  }
}

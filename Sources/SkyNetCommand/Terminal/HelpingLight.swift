/// A light that runs between this process's own system and those that help, while they do: `··●··`.
enum HelpingLight {
  /// How many times a second it moves; the panel is redrawn as often for it.
  private static let movesPerSecond = 5.0

  /// The light at a time in seconds. It runs over so many columns, at least two, and back.
  static func text(at time: Double, columns: Int) -> StyledText {
    let steps = 2 * (columns - 1)
    let step = Int((time * movesPerSecond).rounded(.down)) % steps
    let place = min(step, steps - step)
    func dark(_ count: Int) -> StyledText {
      StyledText(String(repeating: "·", count: count), .faint)
    }
    return dark(place) + StyledText("●", .good) + dark(columns - 1 - place)
  }
}

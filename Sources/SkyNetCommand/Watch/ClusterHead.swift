import SkyNetViews

/// The line above everything: how large the cluster is, and how busy.
enum ClusterHead {
  /// The parts of the line, the most important ones first.
  static func parts(_ view: ClusterView) -> [String] {
    let systems = view.connected.count
    let engagements = view.engagements.count
    return [
      "\(systems) system\(systems == 1 ? "" : "s")",
      "\(view.running) of \(view.slots) slots busy",
      "\(FigureText.rate(view.rate(at: view.now))) scans/s",
      "\(view.waiting) waiting",
      "\(engagements) engagement\(engagements == 1 ? "" : "s")",
    ]
  }

  /// As many of the parts as fit.
  static func line(_ parts: [String], separator: String, columns: Int) -> String {
    var line = ""
    for part in parts {
      let longer = line.isEmpty ? part : line + separator + part
      guard longer.columns <= columns else { break }
      line = longer
    }
    return line
  }

  /// A notice, cut to these columns.
  static func notice(_ notice: Notices.Notice, columns: Int = .max) -> StyledText {
    let clock = Figures.clock(notice.time) + " "
    let text = notice.text.showingControls.cutAtWord(to: max(0, columns - clock.columns))
    let style: Style =
      notice.isFault ? .bad : notice.text.hasPrefix("connected ") ? .good : .plain
    return StyledText(clock, .faint) + StyledText(text, style)
  }
}

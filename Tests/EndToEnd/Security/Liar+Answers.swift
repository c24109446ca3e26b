import Foundation
import SkyNetCore

extension Liar {
  /// Answers to simulated scans that cannot be, each with the name of a node that gives it.
  static let impossibleAnswers: [(name: String, lie: Lie)] = [
    ("another-kind", { _ in (result(#"sources\/2"#, #"{"background":{"_0":[]}}"#), Data()) }),
    ("another-sector", { (result("simulated/1", "\"\($0.sector + 1)\""), Data()) }),
    ("no-json", { _ in (String(repeating: "[", count: 1 << 20), Data()) }),
    (
      "endless-text",
      { _ in
        let text = "\"" + String(repeating: "7", count: 1 << 20) + "\""
        return (result("simulated/1", text), Data())
      }
    ),
    (
      "endless-time",
      { task in
        (result("simulated/1", "\"\(task.sector)\"", seconds: "1e308"), Data())
      }
    ),
  ]
}

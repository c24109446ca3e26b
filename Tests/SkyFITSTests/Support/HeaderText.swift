import Foundation

/// A header with cards of keywords and values. Later cards replace earlier ones.
func header(_ cards: [[String: String]]) -> String {
  let all = cards.reduce([:]) { $0.merging($1) { _, new in new } }
  return
    (all.sorted { $0.key < $1.key }.map { keyword, value in
      keyword.padding(toLength: 8, withPad: " ", startingAt: 0) + "= " + value
    } + ["END"]).map { $0.padding(toLength: 80, withPad: " ", startingAt: 0) }.joined()
}

package import SkyNetCluster
package import SkyNetCore

extension PlainJSON {
  /// Adds the words as an object, from which a page knows how to call a run's parts and points.
  package mutating func add(_ words: RunWords) {
    add(syntax: "{")
    add(key: "part", words.part, isFirst: true)
    add(key: "point", words.point)
    add(syntax: "}")
  }

  private mutating func add(key: StaticString, _ noun: RunWords.Noun, isFirst: Bool = false) {
    add(key: key, isFirst: isFirst)
    add(syntax: "{")
    add(key: "one", noun.one, isFirst: true)
    add(key: "many", noun.many)
    add(syntax: "}")
  }
}

import ArgumentParser

/// Two groups of options as one: a list of types, of any length, folds to one type with it.
struct Both<First: ParsableArguments, Second: ParsableArguments>: ParsableArguments {
  @OptionGroup var first: First
  @OptionGroup var second: Second
}

extension Both: NodeOffering where First: NodeOffering, Second: NodeOffering {
  func offer(withholding files: [String]) throws -> NodeOffer {
    try first.offer(withholding: files) + second.offer(withholding: files)
  }
}

extension Source {
  /// Whether all numbers are finite. They may not be if pixels are near the largest value.
  package var isFinite: Bool {
    x.isFinite && y.isFinite && xx.isFinite && yy.isFinite && xy.isFinite && flux.isFinite
      && variance.isFinite && isophotal.isFinite && apertureFluxes.allSatisfy(\.isFinite)
      && further.areFinite
  }

  /// Whether this is the same source as `known`, apart from what is measured around it.
  package func isSame(as known: Source) -> Bool {
    var same = self
    same.takeSurroundings(of: known)
    return same == known
  }

  /// Takes the measures that depend on the pixels around a source, and the flags.
  private mutating func takeSurroundings(of source: Source) {
    apertureFluxes = source.apertureFluxes
    apertureVariances = source.apertureVariances
    (kron, petrosian) = (source.kron, source.petrosian)
    (fluxRadii, window) = (source.fluxRadii, source.window)
    stampMask = source.stampMask
    flags = source.flags
  }
}

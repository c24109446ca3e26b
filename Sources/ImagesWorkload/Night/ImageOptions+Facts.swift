import SkyCatalog
import SkyFITS
import SkyNetCommand
import SkyNetCore

extension ImageOptions {
  /// What the catalogues of a night depend on besides the images, as far as options ask for it: images that are done are
  /// not scanned or written again, so a journal is continued only with the same options.
  ///
  /// - Throws: `FITSError` if a file with settings cannot be read.
  func facts(places: CatalogOptions) throws -> [JobIdentity.Fact] {
    let given: [(name: String, value: String?)] = [
      ("configuration", try contents(config)), ("kernel", try contents(kernel)),
      ("extension", `extension`), ("threshold", threshold?.description),
      ("minimum area", minArea?.description), ("mesh size", mesh?.description),
      ("deblending levels", deblendLevels?.description),
      ("deblending contrast", deblendContrast?.description),
      ("cleaning", clean ? "yes" : nil), ("weights", weight),
      ("saturation", saturation?.description), ("gain", gain?.description),
      ("apertures", apertures), ("maximum extent", maxExtent?.description),
      ("sector size", sectorSize?.description), ("columns", columns),
      ("catalogues", places.catalog.isEmpty ? nil : places.catalog.joined(separator: ", ")),
      ("pictures", places.picture),
      ("settings of the command line", sextractor.map { "\($0)" }),
      (
        "SExtractor's catalogue", places.sextractor.map { "\($0.format.rawValue) \($0.path ?? "")" }
      ),
    ]
    return given.compactMap { name, value in value.map { JobIdentity.Fact(name, $0) } }
  }

  /// The hash of a file's contents.
  private func contents(_ path: String?) throws -> String? {
    try path.map { try FITSImage.contentsHash(ofFile: $0) }
  }
}

import SkyFiles
import SkyNetCommand

/// Which names in a followed directory are frames.
enum FrameName {
  /// Whether a name ends as a FITS file's does: in `.fits`, `.fit` or `.fts`, in any case, perhaps
  /// followed by `.fz` or `.gz`. Names of other endings, such as `.tmp` and `.part`, and hidden ones
  /// belong to files that are not finished.
  static func isFrame(_ name: String) -> Bool {
    guard name.utf8.first != UInt8(ascii: ".") else { return false }
    return SplitPath.bareName(of: name).utf8.count < name.utf8.count
  }
}

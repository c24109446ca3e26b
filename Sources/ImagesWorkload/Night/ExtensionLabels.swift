import SkyNetCommand
import SkyNetCore

/// What `{ext}` stands for: names for a file's images, fit for files' names.
enum ExtensionLabels {
  /// A label for each image of one file, in its order: the extension's name if no other image of the
  /// file has the same one, and else its number. No two are equal, also where upper and lower case
  /// are not told apart.
  ///
  /// - Parameter images: each image's number, from 0 for the primary one, and its EXTNAME.
  static func labels(of images: [(number: Int, name: String?)]) -> [String] {
    let names = images.map { image -> String? in
      guard let name = image.name.map(fit), !name.isEmpty else { return nil }
      // A name that looks like a number could be another image's number.
      return name.utf8.allSatisfy { (48...57).contains($0) } ? nil : name
    }
    var counts: [String: Int] = [:]
    for case let name? in names { counts[name.lowercased(), default: 0] += 1 }
    return zip(images, names).map { image, name in
      guard let name, counts[name.lowercased()] == 1 else { return "\(image.number)" }
      return name
    }
  }

  /// An EXTNAME as a part of a file's name. Slashes and control characters become underscores, so
  /// that a file from elsewhere cannot choose the folder of its output; so do the dots of a name that
  /// has nothing else.
  static func fit(_ name: String) -> String {
    var fitting = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isFit = scalar != "/" && !scalar.isControl
      fitting.append(isFit ? scalar : "_")
    }
    let trimmed = String(
      String(fitting).drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    guard trimmed.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) else { return trimmed }
    return String(repeating: "_", count: trimmed.utf8.count)
  }
}

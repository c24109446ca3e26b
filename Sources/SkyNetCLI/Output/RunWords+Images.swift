import SkyNetCore

extension RunWords {
  /// The words of runs over images. Of this command's runs no others have parts, or points on a picture.
  static let images = RunWords(part: Noun("image", "images"), point: Noun("source", "sources"))
}

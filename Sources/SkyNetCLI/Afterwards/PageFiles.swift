import SkyNetWeb

/// The files of the page that a report is made of: those of `--web`.
enum PageFiles {
  static func text(named name: String) -> String? { PageFile.named(name)?.text }
}

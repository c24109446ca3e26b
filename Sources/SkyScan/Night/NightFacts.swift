import Foundation
import SkyFITS
package import SkyFiles
import SkyNetCore

/// What a journal keeps of an image of a night, so that a later process knows whether it is still the same.
package struct NightFacts: Codable, Hashable, Sendable {
  /// The image's file and its place in it, by which a later process finds what was recorded.
  package struct Place: Codable, Hashable, Sendable {
    /// The absolute path, without what does not change its meaning: `./` and repeated slashes.
    package var path: ExactText
    /// The unit that was chosen by the name; `nil` if the file was named alone.
    package var choice: String?

    package init(path: String, choice: String?) {
      let parts = URL(fileURLWithPath: path).path.pathNames().filter { $0 != "." }
      // `..` stays: behind a symbolic link it leads elsewhere than the names say.
      self.path = ExactText("/" + parts.joined(separator: "/"))
      self.choice = choice
    }
  }

  /// What `skynet replay` needs to scan a sector of the image again.
  package struct Scan: Codable, Hashable, Sendable {
    /// A file that the scan reads, by its absolute path, and the number of the image in it.
    package struct File: Codable, Hashable, Sendable {
      package var path: String
      package var image: Int

      fileprivate init(_ image: FITSImage) {
        path = URL(fileURLWithPath: image.path).path
        self.image = image.extensionNumber
      }
    }

    package var image: File
    package var weights: File?
    package var settings: SourceScan.Settings

    fileprivate init(_ job: ImageJob) {
      image = File(job.image)
      weights = job.weights.map(File.init)
      settings = job.settings
    }
  }

  /// A file besides the image that the catalogue depends on: its weights, or a file with settings.
  package struct Input: Codable, Hashable, Sendable {
    /// The absolute path.
    package var path: ExactText
    /// The file when it was opened; `nil` if there was none.
    package var state: FileState?
    /// The hash of its contents, which is compared if its state differs; `nil` if it was not read.
    package var contents: String?

    package init(path: String, state: FileState?, contents: String? = nil) {
      self.path = ExactText(URL(fileURLWithPath: path).path)
      self.state = state
      self.contents = contents
    }
  }

  package var place: Place
  /// The file when the image was opened; `nil` if it could not be opened.
  package var file: FileState?
  /// The hash of the file's contents, which is compared if the file's state differs.
  package var contents: String?
  /// The absolute path of the configuration for this image alone; `nil` if it has none.
  package var configuration: ExactText?
  /// The files that the catalogue depends on besides the image. `nil` if the version that
  /// recorded the image did not record them.
  package var inputs: [Input]?
  /// The hashes of the environment variables that the configuration names, by their names. `nil` if it names none.
  package var variables: [String: String]?
  /// What the catalogue depends on besides the file's contents.
  package var settings: [String]?
  /// `nil` if the image could not be opened.
  package var scan: Scan?

  package init(place: Place) { self.place = place }

  /// The facts of an image that was opened.
  ///
  /// - Parameter contents: the hash of its file.
  package init(_ job: ImageJob, place: Place, contents: String, weights: String?) {
    self.place = place
    file = job.image.opened.state
    self.contents = contents
    settings = job.facts(contents: "", weights: weights).map { "\($0.name): \($0.value)" }
    scan = Scan(job)
  }

  /// - Returns: `nil` if the text is none that this type has written.
  package init?(_ text: String) {
    guard let facts = try? JSONDecoder().decode(NightFacts.self, from: Data(text.utf8)) else {
      return nil
    }
    self = facts
  }

  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

import SkyCatalog
import SkyFiles
import SkyNetCommand

/// An output of a night cannot be written, which ends the night.
struct NightOutputError: Error, CustomStringConvertible {
  let output: OutputFileError
  /// The run's journal, if it has one.
  let journal: String?

  var description: String {
    journal.map { "\(output); \($0) keeps what was done, and the same command goes on from there" }
      ?? "\(output)"
  }
}

import ArgumentParser
import SkyNetCommand

/// Whether an engagement writes what it has of an image's sources if it does not have all.
struct PartialOption: ParsableArguments {
  @Flag(
    help: """
      Write the catalogue and the picture even if not every sector was scanned, marked as partial where \
      the format allows it. Without this option an incomplete run leaves those files unchanged.
      """)
  var partial = false
}

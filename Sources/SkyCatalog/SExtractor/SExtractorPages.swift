/// Texts about keywords and columns, made from their tables.
package enum SExtractorPages {
  /// A configuration file with SExtractor's defaults.
  ///
  /// - Parameter all: whether it has all keywords, and not only the common ones.
  package static func defaults(all: Bool) -> String {
    let sections = SExtractorKeyword.sections.compactMap { section -> String? in
      let lines = section.keywords.filter { all || $0.isCommon }.map { keyword in
        "\(keyword.name.filled(to: 16)) \(keyword.usual.filled(to: 14)) # \(keyword.about)"
      }
      return lines.isEmpty ? nil : (["# \(section.title)"] + lines).joined(separator: "\n") + "\n"
    }
    return "# Default configuration, as that of SExtractor 2.25\n\n"
      + sections.joined(separator: "\n")
  }

  /// A line for each column that exists here.
  package static var columns: String {
    Column.allCases.map(\.asciiLine).joined()
  }

  /// `docs/sextractor.md`.
  ///
  /// - Parameter shares: what a comparison with SExtractor found, as `docs/sextractor-shares.tsv` has it: for each
  ///   column its name, our share, SExtractor's, and the image.
  package static func manual(shares: String) -> String {
    let keywords = SExtractorKeyword.sections.map { section in
      "\n### \(section.title)\n\n| Keyword | Default | Values | Sets | Here |\n|---|---|---|---|---|\n"
        + section.keywords.map(row).joined()
    }
    let measured = shares.split(separator: "\n").map { $0.split(separator: "\t") }
      .reduce(into: [:]) { $0[$1.first ?? ""] = $1.dropFirst().joined(separator: " | ") }
    let columns = Column.allCases.map { row($0, measured[$0.name[...]] ?? " | | ") }
    return opening + keywords.joined() + columnsOpening + columns.joined() + columnsClosing
      + headers + differences
  }

  private static func row(_ keyword: SExtractorKeyword) -> String {
    let usual = keyword.usual.isEmpty ? "" : "`\(keyword.usual)`"
    return "| `\(keyword.name)` | \(usual) | \(keyword.values) | \(keyword.about) | "
      + "\(keyword.treatment) |\n"
  }

  private static func row(_ column: Column, _ measured: String) -> String {
    let unit = column.unit.map { "`\($0)`" } ?? ""
    return "| `\(column.name)` | \(unit) | \(column.description) | \(measured) |\n"
  }

  private static let opening = """
    # SExtractor's keywords and columns

    <!-- Made by `skynet sextractor-manual docs/sextractor-shares.tsv`. Change the tables in Sources/SkyCatalog instead. -->

    `skynet sex IMAGE [-c FILE] [-KEYWORD VALUE …]` reads SExtractor's configuration and list of columns, and writes \
    SExtractor's catalogue. `skynet engage --image IMAGE --config FILE` reads the same configuration; its options name \
    the outputs.

    A keyword is *obeyed*, *refused* where ignoring it would change a file, or *without effect*. What is refused is an \
    error that names it; all faults of a configuration, of its kernel and of its list of columns come at once. A value \
    that is SExtractor's default is never refused. A keyword that SExtractor does not know \
    is a warning of `sex`, as in SExtractor, and an error of `engage`; so is a word where a number is needed, which counts \
    as the number that it begins with, or 0. A column of SExtractor's that does not exist \
    here is an error of `sex`; any other unknown column is a warning, and left out.

    A value may name environment variables, as `$NAME` or `${NAME}`, also within a word; one that is not set is an \
    error. SExtractor puts them into a keyword's first value alone, and takes `$NAME` in a further one for 0, or for a \
    file's name as it stands; here each value counts, and `sex` warns of those.

    Two types or names of weights make SExtractor read the weights twice, to detect and to measure, though the image is \
    one. `INTERP_TYPE`, `INTERP_MAXXLAG`, `INTERP_MAXYLAG` and `WEIGHT_THRESH` hold then for detection alone, unless they \
    have two values. Here that is refused where it makes a difference: a threshold, or pixels that are interpolated.

    ## Keywords

    """

  private static let columnsOpening = """

    ## Columns

    `Benchmarks/run accuracy` compares each column with SExtractor 2.25 on seven images and four made-up fields, without \
    cleaning and with it. *Agree* is the share of sources, in percent, whose values agree: within 1%, magnitudes within \
    0.01, positions within 0.1 pixels, angles within 1°. *Floor* is that of SExtractor with itself on the mirrored image. \
    The row is of the image on which a column's share is least above its floor. (`--shares \
    docs/sextractor-shares.tsv` measures anew.) [Measurements](measurements.md#sources) tells of the images.

    | Column | Unit | Meaning | Agree | Floor | On |
    |---|---|---|---|---|---|

    """

  private static let columnsClosing = """

    Columns of PSF and galaxy models (`*PSF*`, `*MODEL*`, `*_HYBRID`, `SPREAD_*`, `SPHEROID_*`, `DISK_*`), `POLAR_*`, \
    `*_GROWTH*` and `DURATION_ANALYSIS` do not exist here.

    """

  private static let headers = """

    ## Headers

    `FITS_LDAC` has the image's header and SExtractor's cards in `LDAC_IMHEAD`. `SEXDATE`, `SEXTIME` and `SEXELAPS` are \
    those of `skynet sex`: the local time of the image's end, and whole seconds. `SOURCE_DATE_EPOCH` in the environment \
    takes the place of the clock, in UTC and without time elapsed, so that a catalogue has the same bytes each time. \
    `engage` leaves the three out ([why](decisions/0079-sex-tells-when-it-ran.md)).

    `SEXVERS` names this program. `SEXCLNST`, `SEXPIXSK` and `SEXFBUFS` tell `MEMORY_OBJSTACK`, `MEMORY_PIXSTACK` and \
    `MEMORY_BUFSIZE`, which have no effect. With `PIXEL_SCALE 0`, `SEXPXSCL` is the side of a pixel at the image's \
    centre, and 0 if no column needs the sky, as in SExtractor. `SEXNDET` counts sources before cleaning, `SEXNFIN` those \
    of the catalogue. \
    SExtractor's Petrosian cards (`SEXPETP1`, `SEXPETP2`) repeat `PHOT_AUTOPARAMS`, and in a file of several images its \
    counts are those of other images; here they are what their names say. The primary header of `FITS_1.0` has the \
    values where SExtractor has zeros, and lacks what is always empty there (`EPOCH`, `OBJECT`, `SEXSTRSY`, `SEXISAPR`).

    """
}

extension SExtractorKeyword {
  /// What becomes of the keyword, in words.
  fileprivate var treatment: String {
    switch effect {
    case .obeyed: "obeyed"
    case .obeyedIf(let names): "obeyed if \(names.joined(separator: " or ")), others refused"
    case .obeyedIfEqual: "obeyed, two that differ refused"
    case .outputName: "obeyed by `sex`, a notice of `engage`"
    case .outputFormat(let names):
      "`sex` obeys \(SExtractorFormat.served.map(\.rawValue).joined(separator: ", ")), `engage` accepts "
        + names.joined(separator: ", ")
        + ", and those too where `--catalog` has an ending of no format of its own; "
        + "others refused"
    case .refused: "refused unless it is the default"
    case .furtherFiles([]): "refused by `sex` unless it is the default, a notice of `engage`"
    case .furtherFiles(let names):
      "`sex` obeys \(([usual] + names).joined(separator: ", ")), others refused; a notice of `engage`"
    case .furtherNames: "obeyed by `sex`, without effect in `engage`"
    case .unused(let reason): "without effect (\(reason))"
    }
  }
}

import SkyDetection

/// The keywords, in the order of `source-extractor -dd`.
extension SExtractorKeyword {
  package struct Section: Sendable {
    package let title: String
    package let keywords: [SExtractorKeyword]
  }

  package static let sections = [
    Section(title: "Catalogue", keywords: catalog),
    Section(title: "Detection", keywords: detection),
    Section(title: "Weights", keywords: weights),
    Section(title: "Flags and distortion maps", keywords: maps),
    Section(title: "Photometry", keywords: photometry),
    Section(title: "Stars and galaxies", keywords: classes),
    Section(title: "Background", keywords: background),
    Section(title: "Check images", keywords: checks),
    Section(title: "Memory", keywords: memory),
    Section(title: "Association", keywords: association),
    Section(title: "Miscellaneous", keywords: miscellaneous),
  ]

  private static let any = -infinite...infinite

  private static let catalog = [
    SExtractorKeyword(
      "CATALOG_NAME", "test.cat", .path, 1...1, .outputName,
      "the catalogue's file; STDOUT: standard output"),
    SExtractorKeyword(
      "CATALOG_TYPE", "ASCII_HEAD",
      .names(SExtractorFormat.allCases.map(\.rawValue)), 1...1,
      .outputFormat(inEngage: ["NONE", "FITS_1.0"]),
      "the catalogue's format"),
    SExtractorKeyword(
      "PARAMETERS_NAME", "default.param", .path, "the file with the list of columns"),
  ]

  private static let detection = [
    SExtractorKeyword(
      "DETECT_TYPE", "CCD", .names(["CCD", "PHOTO"]), 1...2, .refused,
      "CCD: linear; PHOTO: photographic"),
    SExtractorKeyword(
      "DETECT_MINAREA", "5", .integer(1...1_000_000), "least number of pixels of a source"),
    SExtractorKeyword(
      "DETECT_MAXAREA", "0", .integer(0...Int(Int32.max)), common: false,
      "largest number of pixels of a source; 0: any"),
    SExtractorKeyword(
      "THRESH_TYPE", "RELATIVE", .names(["RELATIVE", "ABSOLUTE"]), 1...2, .obeyed,
      common: false, "thresholds in units of the noise, or in counts"),
    SExtractorKeyword(
      "DETECT_THRESH", "1.5", .positive(infinite), 1...2, .obeyed,
      "threshold, or mag/arcsec2 and zero point"),
    SExtractorKeyword(
      "ANALYSIS_THRESH", "1.5", .positive(infinite), 1...2, .obeyed,
      "the same, of the pixels measured"),
    SExtractorKeyword("FILTER", "Y", .flag, "whether the image is smoothed to detect"),
    SExtractorKeyword("FILTER_NAME", "default.conv", .path, "the file with the kernel for that"),
    SExtractorKeyword(
      "FILTER_THRESH", "", .words, 0...2,
      .unused(because: "neural filters, which it is for, are refused as kernels"), common: false,
      "thresholds of a neural filter"),
    SExtractorKeyword(
      "DEBLEND_NTHRESH", "32", .integer(1...64), "number of levels that separate sources"),
    SExtractorKeyword(
      "DEBLEND_MINCONT", "0.005", .number(0...1), "least part of the flux of a separate source"),
    SExtractorKeyword("CLEAN", "Y", .flag, "whether wings of brighter sources are dropped"),
    SExtractorKeyword("CLEAN_PARAM", "1.0", .number(0.1...10), "how steep those wings are"),
    SExtractorKeyword(
      "MASK_TYPE", "CORRECT", .names(["NONE", "BLANK", "CORRECT"]),
      "how fluxes treat neighbours' pixels"),
  ]

  /// WEIGHT_TYPE's names, beside NONE.
  static let weightKinds: [String: DetectionSettings.Weighting.Kind] = [
    "BACKGROUND": .background, "MAP_RMS": .deviation, "MAP_VAR": .variance, "MAP_WEIGHT": .weight,
  ]

  private static let weights = [
    SExtractorKeyword(
      "WEIGHT_TYPE", "NONE", .names(["NONE"] + weightKinds.keys.sorted()), 1...2, .obeyedIfEqual,
      "what the weight map holds"),
    SExtractorKeyword(
      "RESCALE_WEIGHTS", "Y", .flag, 1...2, .obeyedIfEqual, common: false,
      "whether weights are scaled to the noise"),
    SExtractorKeyword(
      "WEIGHT_IMAGE", "weight.fits", .path, 1...2, .obeyedIfEqual, "the weight map's file"),
    SExtractorKeyword(
      "WEIGHT_GAIN", "Y", .flag, common: false, "whether weights change the gain"),
    SExtractorKeyword(
      "WEIGHT_THRESH", "", .number(0...infinite), 0...2, .obeyedIfEqual, common: false,
      "the weight from which a pixel is bad"),
  ]

  private static let noFlagImages = Effect.unused(
    because: "the columns of flag images do not exist here")
  private static let noDistortion = Effect.unused(because: "DGEO_TYPE is refused")

  private static let maps = [
    SExtractorKeyword(
      "FLAG_IMAGE", "flag.fits", .words, 1...4, noFlagImages, "the flag image's file"),
    SExtractorKeyword(
      "FLAG_TYPE", "OR", .words, 1...4, noFlagImages, "how a source's flags are combined"),
    SExtractorKeyword(
      "DGEO_TYPE", "NONE", .names(["NONE", "PIXEL"]), 1...1, .refused, common: false,
      "whether there is a distortion map"),
    SExtractorKeyword(
      "DGEO_IMAGE", "dgeo.fits", .words, 1...2, noDistortion, common: false, "its file"),
  ]

  private static let photometry = [
    SExtractorKeyword(
      "PHOT_APERTURES", "5", .positive(DetectionSettings.widestAperture), 1...Int.max, .obeyed,
      "diameters of the circles, in pixels"),
    SExtractorKeyword(
      "PHOT_AUTOPARAMS", "2.5,3.5", .number(0...10), 2...2, .obeyed,
      "Kron ellipse: factor, smallest radius"),
    SExtractorKeyword(
      "PHOT_PETROPARAMS", "2.0,3.5", .number(0...10), 2...2, .obeyed,
      "Petrosian ellipse: factor, smallest radius"),
    SExtractorKeyword(
      "PHOT_AUTOAPERS", "0.0,0.0", .number(0...1e6), 2...2, .obeyed, common: false,
      "least diameters for both"),
    SExtractorKeyword(
      "PHOT_FLUXFRAC", "0.5", .number(1e-6...1), 1...32, .obeyed, common: false,
      "fractions of the flux for FLUX_RADIUS"),
    SExtractorKeyword("SATUR_LEVEL", "50000.0", .number(any), "value of a saturated pixel"),
    SExtractorKeyword(
      "SATUR_KEY", "SATURATE", .headerKeyword, "the header's keyword for that"),
    SExtractorKeyword("MAG_ZEROPOINT", "0.0", .number(-100...100), "magnitude of one count"),
    SExtractorKeyword(
      "MAG_GAMMA", "4.0", .words, 1...1, .unused(because: "DETECT_TYPE PHOTO is refused"),
      "contrast of an emulsion"),
    SExtractorKeyword(
      "GAIN", "0.0", .number(0...infinite), "photons per count; 0: no photon noise"),
    SExtractorKeyword("GAIN_KEY", "GAIN", .headerKeyword, "the header's keyword for that"),
    SExtractorKeyword(
      "PIXEL_SCALE", "1.0", .number(0...1e10), "arcseconds per pixel; 0: from the header"),
  ]

  private static let classes = [
    SExtractorKeyword(
      "SEEING_FWHM", "1.2", .number(0...1e10), "width of a star, in arcseconds"),
    SExtractorKeyword(
      "STARNNW_NAME", "default.nnw", .path, "the file with the network for CLASS_STAR"),
  ]

  private static let background = [
    SExtractorKeyword(
      "BACK_TYPE", "AUTO", .names(["AUTO", "MANUAL"]), 1...2, .obeyed, common: false,
      "whether the background is estimated"),
    SExtractorKeyword(
      "BACK_VALUE", "0.0", .number(any), 1...2, .obeyed, common: false,
      "the background otherwise"),
    SExtractorKeyword(
      "BACK_SIZE", "64", .integer(1...2_000_000_000), 1...2, .obeyed,
      "side of a mesh, or width and height"),
    SExtractorKeyword(
      "BACK_FILTERSIZE", "3", .integer(1...11), 1...2, .obeyed,
      "side of the median filter, in meshes"),
    // Later versions have it.
    SExtractorKeyword(
      "BACK_PEARSON", "2.5", .number(any), 1...1, .refused, common: false,
      "factor of the mode's estimate"),
    SExtractorKeyword(
      "BACKPHOTO_TYPE", "GLOBAL", .names(["GLOBAL", "LOCAL"]),
      "background of a source"),
    SExtractorKeyword(
      "BACKPHOTO_THICK", "24", .integer(1...256), common: false,
      "thickness of its frame with LOCAL"),
    SExtractorKeyword(
      "BACK_FILTTHRESH", "0.0", .number(0...infinite), common: false,
      "step from which the filter acts"),
  ]

  private static let checks = [
    SExtractorKeyword(
      "CHECKIMAGE_TYPE", "NONE", .words, 0...16,
      .furtherFiles(CheckImage.Kind.allCases.map(\.rawValue)), "check images"),
    SExtractorKeyword(
      "CHECKIMAGE_NAME", "check.fits", .words, 1...16, .furtherNames, "their files"),
  ]

  private static let ownMemory = Effect.unused(
    because: "memory is taken as it is needed, and the catalogue does not depend on it")

  private static let memory = [
    SExtractorKeyword(
      "MEMORY_OBJSTACK", "3000", .words, 1...1, ownMemory, "number of sources in memory"),
    SExtractorKeyword(
      "MEMORY_PIXSTACK", "300000", .words, 1...1, ownMemory, "number of pixels in memory"),
    SExtractorKeyword(
      "MEMORY_BUFSIZE", "1024", .words, 1...1, ownMemory, "number of rows in memory"),
  ]

  private static let noAssociation = Effect.unused(
    because: "the columns of associations do not exist here")

  private static let association = [
    SExtractorKeyword(
      "ASSOC_NAME", "sky.list", .words, 1...1, noAssociation, common: false, "the list's file"),
    SExtractorKeyword(
      "ASSOC_DATA", "2,3,4", .words, 1...1000, noAssociation, common: false, "columns copied"),
    SExtractorKeyword(
      "ASSOC_PARAMS", "2,3,4", .words, 2...3, noAssociation, common: false,
      "columns of positions"),
    SExtractorKeyword(
      "ASSOCCOORD_TYPE", "PIXEL", .words, 1...1, noAssociation, common: false,
      "kind of positions"),
    SExtractorKeyword(
      "ASSOC_RADIUS", "2.0", .words, 1...1, noAssociation, common: false, "largest distance"),
    SExtractorKeyword(
      "ASSOC_TYPE", "NEAREST", .words, 1...1, noAssociation, common: false, "which one counts"),
    SExtractorKeyword(
      "ASSOCSELEC_TYPE", "MATCHED", .names(["ALL", "MATCHED", "-MATCHED"]), 1...1, noAssociation,
      common: false, "which sources are kept"),
  ]

  private static let noModels = Effect.unused(because: "the columns of models do not exist here")

  private static let miscellaneous = [
    SExtractorKeyword(
      "VERBOSE_TYPE", "NORMAL", .names(["QUIET", "NORMAL", "FULL"]), "QUIET: only what is wrong"),
    SExtractorKeyword(
      "HEADER_SUFFIX", ".head", .path, common: false, "ending of a header file beside the image"),
    SExtractorKeyword(
      "WRITE_XML", "N", .flag, 1...1, .furtherFiles([]), common: false, "whether to write XML"),
    SExtractorKeyword(
      "XML_NAME", "sex.xml", .words, 1...1, .unused(because: "WRITE_XML is refused"),
      common: false, "its file"),
    SExtractorKeyword(
      "XSL_URL", "file:///usr/share/source-extractor/source-extractor.xsl", .words, 1...1,
      .unused(because: "WRITE_XML is refused"), common: false, "its style sheet"),
    SExtractorKeyword(
      "NTHREADS", "1", .words, 1...1,
      .unused(because: "--slots chooses how many cores work, and the catalogue is the same"),
      common: false, "number of threads"),
    SExtractorKeyword(
      "FITS_UNSIGNED", "N", .flag, 1...1, .refused, common: false,
      "whether integers have no sign"),
    SExtractorKeyword(
      "INTERP_MAXXLAG", "16", .integer(1...1_000_000), 1...2, .refused, common: false,
      "distance of interpolation in x"),
    SExtractorKeyword(
      "INTERP_MAXYLAG", "16", .integer(1...1_000_000), 1...2, .refused, common: false,
      "distance of interpolation in y"),
    SExtractorKeyword(
      "INTERP_TYPE", "ALL", .names(["NONE", "VAR_ONLY", "ALL"]), 1...2, .obeyedIf(["NONE", "ALL"]),
      common: false, "which bad pixels are interpolated"),
    SExtractorKeyword(
      "PSF_NAME", "default.psf", .words, 1...2, noModels, common: false, "the PSF model's file"),
    SExtractorKeyword(
      "PSF_NMAX", "1", .words, 1...1, noModels, common: false, "number of PSFs fitted at once"),
    SExtractorKeyword(
      "PATTERN_TYPE", "RINGS-HARMONIC", .words, 1...1, noModels, common: false,
      "decomposition of shapes"),
    SExtractorKeyword(
      "SOM_NAME", "default.som", .words, 1...1, noModels, common: false, "the map's file"),
  ]
}

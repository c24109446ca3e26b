extension ExtractionHeader {
  /// The cards that FITS_LDAC has behind those of the image. SCAMP and PSFEx read some of them.
  ///
  /// - Parameter fieldCount: the number of the table's fields.
  func imageCards(fieldCount: Int) -> [HeaderCard] {
    fileCards + programCards + backgroundCards + [
      HeaderCard("SEXTHLD", .number(threshold), "threshold for detection (counts)"),
      HeaderCard("SEXATHLD", .number(analysisThreshold), "threshold for measuring (counts)"),
    ] + countCards(fieldCount) + [
      HeaderCard("SEXPXSCL", .number(pixelScale), "side of a pixel (arcsec)")
    ] + seeingCards + [
      HeaderCard("SEXFLTR", .flag(smooths), "whether the image was smoothed"),
      HeaderCard("SEXFILTN", .text(kernel), "smoothing kernel"),
    ] + separationCards + apertureCards + [
      HeaderCard("SEXAUTP1", .fixed(kron.factor), "factor of Kron's ellipses"),
      HeaderCard("SEXAUTP2", .fixed(kron.minimum), "minimum radius of Kron's ellipses"),
      HeaderCard("SEXPETP1", .fixed(petrosian.factor), "factor of Petrosian's ellipses"),
      HeaderCard("SEXPETP2", .fixed(petrosian.minimum), "minimum radius of Petrosian's"),
    ] + levelCards + bufferCards + [
      HeaderCard("SEXMWSCL", .number(weightScale), "scale of weights for measuring"),
      HeaderCard("SEXDWSCL", .number(weightScale), "scale of weights for detection"),
    ]
  }

  /// The cards that FITS_1.0 has in the primary unit, behind those of an empty unit.
  func primaryCards(fieldCount: Int) -> [HeaderCard] {
    [HeaderCard("ORIGIN", .text(software), "program")] + fileCards + [
      HeaderCard("SEXIMASX", .whole(width), "width of the image (pixels)"),
      HeaderCard("SEXIMASY", .whole(height), "height of the image (pixels)"),
      HeaderCard("SEXIMABP", .whole(bitpix), "BITPIX of the image"),
      HeaderCard("SEXPIXS", .number(pixelScale), "side of a pixel (arcsec)"),
    ] + seeingCards + backgroundCards + [
      HeaderCard("SEXBKTHD", .number(threshold), "threshold for detection (counts)"),
      HeaderCard("SEXCONFF", .text(configuration), "settings"),
      HeaderCard("SEXDETT", .text("CCD"), "kind of detector"),
      HeaderCard(
        "SEXTHLDT", .text(isThresholdAbsolute ? "ABSOLUTE" : "SIGMA"), "kind of threshold"),
      HeaderCard("SEXTHLD", .number(thresholdSetting), "threshold as it was set"),
      HeaderCard("SEXCONV", .flag(smooths), "whether the image was smoothed"),
      HeaderCard("SEXCONVN", .flag(true), "whether the kernel was normalised"),
      HeaderCard("SEXCONVF", .text(kernel), "smoothing kernel"),
    ] + separationCards + [
      HeaderCard("SEXAPERD", .fixed(apertures.first ?? 0), "diameter of the first circle (pixels)"),
      HeaderCard("SEXAPEK1", .fixed(kron.factor), "factor of Kron's ellipses"),
      HeaderCard("SEXAPEK2", .fixed(kron.factor), "factor of Kron's ellipses, again"),
      HeaderCard("SEXAPEK3", .fixed(kron.minimum), "minimum radius of Kron's ellipses"),
    ] + levelCards + [
      HeaderCard(
        "SEXPBKGT", .text(isBackgroundLocal ? "LOCAL" : "GLOBAL"), "background of fluxes")
    ] + bufferCards + countCards(fieldCount)
  }
}

/// Cards that both formats have.
extension ExtractionHeader {
  private var fileCards: [HeaderCard] {
    [
      HeaderCard("FITSFILE", .text(file), "the image's file"),
      HeaderCard("FITSEXT", .whole(image), "number of the image in the file"),
      HeaderCard("FITSNEXT", .whole(imageCount), "number of images in the file"),
    ]
  }

  private var programCards: [HeaderCard] {
    [HeaderCard("SEXVERS", .text(software), "program")] + (times?.cards ?? [])
  }

  private var backgroundCards: [HeaderCard] {
    [
      HeaderCard("SEXBKGND", .number(background), "median level of the background (counts)"),
      HeaderCard("SEXBKDEV", .number(noise), "noise of the background (counts)"),
    ]
  }

  private func countCards(_ fieldCount: Int) -> [HeaderCard] {
    [
      HeaderCard("SEXNDET", .whole(detections), "sources before cleaning"),
      HeaderCard("SEXNFIN", .whole(sources), "sources in the catalogue"),
      HeaderCard("SEXNPARA", .whole(fieldCount), "columns"),
    ]
  }

  private var seeingCards: [HeaderCard] {
    [
      HeaderCard("SEXSFWHM", .number(seeing), "FWHM of the seeing (arcsec)"),
      HeaderCard("SEXNNWF", .text(network), "network that tells stars from galaxies"),
      HeaderCard("SEXGAIN", .number(gain), "gain (photons per count)"),
    ]
  }

  private var separationCards: [HeaderCard] {
    [
      HeaderCard("SEXMINAR", .whole(minimumArea), "minimum area (pixels)"),
      HeaderCard("SEXDBLDN", .whole(deblendLevels), "levels of deblending"),
      HeaderCard("SEXDBLDC", .fixed(deblendContrast), "minimum contrast of deblending"),
      HeaderCard("SEXCLN", .flag(cleans), "whether spurious sources were dropped"),
      HeaderCard("SEXCLNPA", .fixed(cleanParameter), "exponent of the wings for that"),
      HeaderCard("SEXCLNST", .whole(told.objectStack), "MEMORY_OBJSTACK (sources)"),
    ]
  }

  /// The first four circles; 0 for one that there is not.
  private var apertureCards: [HeaderCard] {
    (0..<4).map { index in
      HeaderCard(
        "SEXAPED\(index + 1)", .fixed(apertures.indices.contains(index) ? apertures[index] : 0),
        "diameter of circle \(index + 1) (pixels)")
    }
  }

  private var levelCards: [HeaderCard] {
    [
      HeaderCard("SEXSATLV", .number(saturation), "saturation level (counts)"),
      HeaderCard("SEXMGZPT", .fixed(zeroPoint), "zero point of magnitudes"),
      HeaderCard("SEXMGGAM", .fixed(told.gamma), "gamma of photographic plates"),
      HeaderCard("SEXBKGSX", .whole(mesh.width), "width of the background's meshes (pixels)"),
      HeaderCard("SEXBKGSY", .whole(mesh.height), "height of the background's meshes (pixels)"),
      HeaderCard("SEXBKGFX", .whole(meshFilter.width), "width of the meshes' filter"),
      HeaderCard("SEXBKGFY", .whole(meshFilter.height), "height of the meshes' filter"),
    ]
  }

  private var bufferCards: [HeaderCard] {
    [
      HeaderCard("SEXPBKGS", .whole(told.localThickness), "frame of local backgrounds (pixels)"),
      HeaderCard("SEXPIXSK", .whole(told.pixelStack), "MEMORY_PIXSTACK (pixels)"),
      HeaderCard("SEXFBUFS", .whole(told.bufferRows), "MEMORY_BUFSIZE (rows)"),
    ]
  }
}

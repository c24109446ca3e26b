extension SExtractorPages {
  /// Where a catalogue differs from SExtractor's with the same settings: one table for all of these facts.
  static let differences = """

    ## Where it differs

    Each row was seen with both programs on one file, but for the bound of 1020 pixels, which is the code's. The last \
    column says which of the two astropy 8.0 or another program agrees with; *neither* is where both differ, or where no \
    other program does the like. Settings that are refused or without effect are in [Keywords](#keywords), and cards of \
    catalogues in [Headers](#headers).

    ### Headers and files

    | What | SExtractor 2.25 | SkyNet | Agrees |
    |---|---|---|---|
    | two cards of one name that differ | the first counts | the first counts, with a warning, for pixels, coordinates, \
    `GAIN_KEY` and `SATUR_KEY` | neither: astropy, CFITSIO (pixels) and WCSLIB take the last |
    | a card of `GAIN_KEY` or `SATUR_KEY` without a number (`'high'`, `T`) | counts as 0 | counts as absent, with a \
    warning | neither: astropy has the text |
    | a card that begins with the key and has no `=` in its ninth place (HIERARCH) | its text counts, or 0 | is a comment \
    | SkyNet: astropy |
    | a key in small letters (`-GAIN_KEY gain`) | finds no card | is read in capitals | neither |
    | a table of text (`XTENSION= 'TABLE'`) | is scanned as an image, and has an `EXT_NUMBER` | is passed over, with a \
    warning of `sex` | SkyNet: astropy |
    | gzip, fpack, integers of 64 bits | cannot be read | are read | SkyNet: astropy |

    ### Positions

    | What | SExtractor 2.25 | SkyNet | Agrees |
    |---|---|---|---|
    | SIP (`RA---TAN-SIP`, or TAN or another projection with SIP's cards) | is left out | is applied | SkyNet: astropy |
    | one of A_ORDER and B_ORDER over 1 without the other | is left out | no positions, with a warning | neither: for \
    astropy an error, or no SIP |
    | TAN-SIP beside PV1_m, PV2_m | SCAMP's polynomial | SIP | SkyNet: astropy, where an m is over 4 |
    | `RA---TPV-SIP`, with the cards of both | TPV | no positions, with a warning | neither: astropy applies both |
    | TPV without PV1_1 and PV2_1 | 0; TAN if there is no PVi_m with m over 0 | 1, as the convention says | neither: \
    astropy takes 0, and all pixels have one position |
    | TAN with what the standard says of the pole (PV1_1 0, PV1_2 90, PV1_3, PV1_4) | SCAMP's polynomial, degrees off | \
    the pole | SkyNet: astropy |
    | TAN with other parameters that SCAMP cannot have meant (PV2_1 alone, PV1_1 10) | SCAMP's polynomial | no positions, \
    with a warning | neither: astropy leaves out PV2_m, and moves the reference point by PV1_m |
    | SCAMP's parameters beside another projection (STG, SIN) | are left out, but for SIN's own | no positions, with \
    a warning | neither: astropy moves the reference point |
    | CUNIT `arcsec`, `rad` | counts as `deg` | is converted | SkyNet: astropy |
    | poles: no LONPOLE at CRVAL2 90 | 180, half a turn off | 0 | SkyNet: astropy |
    | poles: LONPOLE that cannot be (CAR, CRVAL2 60, LONPOLE 180 or 90) | positions, or 10³¹ | no positions, with a \
    warning | SkyNet: astropy |
    | `LONGPOLE` | is LONPOLE | is nothing | SkyNet: astropy |
    | plates of the Digitized Sky Survey (AMDXn, AMDYn) | are left out | the plate's polynomial | SkyNet: astropy |
    | TNX without WAT | crashes | is TAN | SkyNet: astropy |
    | SZP, SFL, HPX, XPH | no positions: 0 | positions | SkyNet: astropy |
    | CYP, CEA | 10³¹ | positions | SkyNet: astropy |
    | AIR, NCP, GLS | others: at 0.13° AIR 85″, NCP 0.6″ to 14″, GLS 0.2″ off | the standard's | SkyNet: astropy |
    | FK4 (EQUINOX 1950) | is precessed alone, 0.3″ off | is converted from that frame | SkyNet: astropy |
    | a coordinate that is no number (`CRVAL1 = '10:00:24'`) | the number that it begins with | no positions, with a \
    warning | neither: astropy takes 0 |
    | moments of the world where declination is the first axis | x and y are exchanged | they are not | SkyNet: the \
    definition |
    | no place in the sky | 0, without a word | 0 in SExtractor's formats, no such columns in others; with a warning | \
    neither |

    ### Pixels

    | What | SExtractor 2.25 | SkyNet | Agrees |
    |---|---|---|---|
    | NaN, infinity or −10³⁰ under a filter | no pixel is detected whose kernel has one | counts as 0 there, as what is \
    outside of the image | SkyNet: sep 1.4.1 with a mask |
    | a pixel of weight 0, with `THRESH_TYPE ABSOLUTE` and `INTERP_TYPE NONE` | is detected | is not detected | SkyNet: \
    SExtractor with `RELATIVE` |
    | a variance of 10³⁰ or more is infinite | after it was scaled | as it stands in the map | neither |
    | pixels of a column that are interpolated from below | are counted from the last one with a weight | are counted \
    over the last 32 rows, so that a value depends on pixels nearby | neither |
    | a mesh of a single pixel, as in the corner of 65 × 65 | has twice its level | has its level | SExtractor: sep, \
    which has its code |
    | `DETECT_THRESH 24,30.5` beside weights | the magnitude times the noise | is refused without `THRESH_TYPE ABSOLUTE` \
    | neither |

    ### Sources

    | What | SExtractor 2.25 | SkyNet | Agrees |
    |---|---|---|---|
    | the order of rows (`NUMBER`) | that in which components end and cleaning takes them | by the component's first \
    pixel, in the order in which an image is read | neither |
    | faint pixels between branches | by random numbers in the order of its work | by random numbers of the pixel's \
    place, the same for any cut | neither |
    | `CLEAN` | in the order of its list | from the brightest to the faintest; only a source that stays drops another | \
    neither |
    | a component longer than 2048 pixels | is deblended | is one source, with flag 64 (`--max-extent`) | SExtractor |
    | saturated (flag 4) | if the highest pixel over the background and the level at the barycentre are | if a pixel is, \
    by its value in the file | SkyNet: the definition |
    | Kron's and Petrosian's ellipses | of any size | reach 16 A and B at most, and 1020 pixels | SExtractor |
    | circles of `PHOT_AUTOAPERS` | of any size | over 1000 pixels are refused | SExtractor |
    | a window (`XWIN_IMAGE` …) with `MASK_TYPE NONE` | may end at another source | sees what is up to 24 A away, and has \
    strayed beyond (`FLAGS_WIN` 8) | neither |

    """
}

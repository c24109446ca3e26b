#!/bin/bash
# Sourced by Benchmarks/run: the configuration that SkyNet is compared with SExtractor by. Both programs read it.

# The columns of an isophotal catalogue, and the same with those of FLUX_AUTO.
readonly isophotal_columns=(
  NUMBER X_IMAGE Y_IMAGE FLUX_ISO FLUX_APER ISOAREA_IMAGE A_IMAGE B_IMAGE THETA_IMAGE FLAGS)
readonly auto_columns=("${isophotal_columns[@]}" FLUX_AUTO KRON_RADIUS)

# Settings for columns that are vectors, magnitudes, or measured with a gain or in the sky. Debian's source-extractor
# brings the network of CLASS_STAR.
readonly network=/usr/share/source-extractor/default.nnw
readonly catalogue_settings=(
  -PHOT_APERTURES "4,8,17" -PHOT_FLUXFRAC "0.2,0.5,0.8" -MAG_ZEROPOINT 25 -GAIN 2 -PIXEL_SCALE 0.4
  -STARNNW_NAME "$network")

# Stores in `served` the columns that `skynet sex -dp` prints, with a size for those that are vectors.
served_columns() {
  mapfile -t served < <("$skynet" sex -dp | sed -nE 's/^#([A-Z0-9_]+).*/\1/p' \
    | sed -E 's/_APER$/&(3)/; s/^FLUX_RADIUS$/&(3)/; s/^VIGNET$/&(35,35)/')
  if [[ ! -e $network && " ${served[*]} " == *" CLASS_STAR "* ]]; then
    echo "there is no $network: CLASS_STAR is left out" >&2
    mapfile -t served < <(printf '%s\n' "${served[@]}" | grep -vx CLASS_STAR)
  fi
}

# Writes $work/NAME.sex, and the files that it names. SExtractor's catalogue is $work/theirs.cat, unless its
# command line names another one, and an ASCII_HEAD, which is its default.
configure() { # NAME COLUMN...
  printf '%s\n' "${@:2}" >"$work/$1.param"
  printf '%s\n' "CONV NORM" "1 2 1" "2 4 2" "1 2 1" >"$work/kernel.conv"
  cat >"$work/$1.sex" <<END
CATALOG_NAME $work/theirs.cat
PARAMETERS_NAME $work/$1.param
DETECT_MINAREA 5
DETECT_THRESH 1.5
ANALYSIS_THRESH 1.5
FILTER Y
FILTER_NAME $work/kernel.conv
DEBLEND_NTHRESH 32
DEBLEND_MINCONT 0.005
CLEAN N
PHOT_APERTURES 5
PHOT_AUTOPARAMS 2.5,3.5
BACK_SIZE 64
BACK_FILTERSIZE 3
VERBOSE_TYPE QUIET
END
}

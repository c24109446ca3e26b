#!/bin/bash
# Sourced by Benchmarks/run: the configuration that SkyNet is compared with SExtractor by. Both programs read it.

# The columns of an isophotal catalogue, and the same with those of FLUX_AUTO.
readonly isophotal_columns=(
  NUMBER X_IMAGE Y_IMAGE FLUX_ISO FLUX_APER ISOAREA_IMAGE A_IMAGE B_IMAGE THETA_IMAGE FLAGS)
readonly auto_columns=("${isophotal_columns[@]}" FLUX_AUTO KRON_RADIUS)

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

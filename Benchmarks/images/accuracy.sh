# shellcheck shell=bash
#: accuracy [--all]
#: Agreement with SExtractor 2.25, column by column, and mesh by mesh of the background: each column that
#: `skynet sex -dp` prints. Prints the shares that are below their floor, and of each other column the closest one;
#: --all prints all.
#: Target: each column agrees as often as SExtractor agrees with itself on the mirrored image, within a point
#: or two standard errors. Fails below.
#
# Compares the catalogues of the images in the folder that SKYNET_TEST_DATA names, of two crowded images that the
# script makes, and of made-up fields with a gain, with weights and with padded edges, without cleaning and with.
# Beside each share of agreement is the floor: SExtractor's agreement with itself on the mirrored image.

all_shares='' shares=''
while (($#)); do
  case $1 in
    --all) all_shares=all ;;
    --shares)
      [[ -n ${2:-} ]] || die "--shares needs a file"
      shares=$(realpath -m -- "$2")
      shift
      ;;
    *) die "there is no option $1" ;;
  esac
  shift
done

need_python numpy astropy
need_source_extractor
find_images
need_skynet
run "$python" "$here/made_up.py" crowded "$work/crowded.fits"
run "$python" "$here/made_up.py" galaxies "$work/galaxies.fits"
images+=("$work/crowded.fits" "$work/galaxies.fits")

below=0
for image in "${images[@]}"; do
  "$python" -W ignore "$here/meshes.py" "$skynet" "$image" || below=$((below + 1))
done
"$python" -W ignore "$here/columns.py" "$skynet" "$all_shares" "$shares" "${images[@]}" || below=$((below + 1))
((below == 0)) || exit 1

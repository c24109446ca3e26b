# shellcheck shell=bash
#: configurations
#: Agreement with SExtractor 2.25 where it is easily lost: zeros, counts, integers, weights, bad pixels, odd headers,
#: environment variables, and each keyword of a configuration that is absent, has its default, or another value.
#: Target: sources and columns agree as often as SExtractor agrees with itself on the mirrored image, within two
#: standard errors; a default that is written out changes no byte. Fails below.
#
# The script makes the images; the keywords are compared on those in the folder that SKYNET_TEST_DATA names, too.

need_python numpy astropy
need_source_extractor
find_images
need_skynet
"$python" -W ignore "$here/configurations.py" "$skynet" ${images[@]+"${images[@]}"} || exit 1

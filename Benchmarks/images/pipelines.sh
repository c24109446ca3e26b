# shellcheck shell=bash
#: pipelines
#: How many of the public lists of columns and configurations in the folder that SKYNET_TEST_PIPELINES names `skynet sex`
#: takes, and what each of the others lacks.
#: Target: 45 of 70 lists, 70 of 96 configurations. Fails if a catalogue has other columns than `-dp` prints.

need_python numpy astropy
[[ -r ${SKYNET_TEST_PIPELINES:-}/columns-asked.tsv ]] || skip "SKYNET_TEST_PIPELINES names no folder with columns-asked.tsv"
pipelines=$(absolute "$SKYNET_TEST_PIPELINES")
need_skynet
"$python" "$here/pipelines.py" "$skynet" "$pipelines"

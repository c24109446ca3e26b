# shellcheck shell=bash
#: programs
#: Runs every line of docs/programs.md that begins with "$ ", in a folder with the files that they name, beside one
#: node. All have to succeed, and all lines of a block to make the same files in out/ and
#: print the same if the first one prints something. Then as many loops over words and files whose names mean
#: something to a shell, a file system, or a parser of options.
#
# SKYNET_BINARY names the program, if it is already built; with "none" only the peers' lines are run. A line is left
# out, and named, if it needs parallel, jq, a server of HyperQueue or a cluster of Slurm, and there is none.

binary=${SKYNET_BINARY:-}
if [[ -z $binary ]]; then
  need_swift
  install_for_build
  say "building"
  build_release skynet >&2
  binary=$PWD/.build-release/release/skynet
fi
readonly page=$PWD/docs/programs.md
work=$(mktemp -d -t skynet-programs.XXXXXX)
node=
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
  if [[ -n $node ]]; then
    kill -TERM "$node" 2>/dev/null || true
    wait "$node" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
export XDG_CONFIG_HOME=$work/account PARALLEL_HOME=$work/parallel
mkdir -p "$work/bin" "$work/begin/night" "$work/begin/packed" "$work/begin/out" "$work/parallel"
# What `parallel --citation` makes, so that it does not ask to be cited.
touch "$work/parallel/will-cite"

# The files that the page's lines name.
script() { # NAME LINE...
  printf '%s\n' "${@:2}" >"$work/begin/$1"
  chmod +x "$work/begin/$1"
}
# shellcheck disable=SC2016 # the scripts expand them
{
  script scan.sh '#!/bin/sh' 'echo "scan of $1"'
  script fit.sh '#!/bin/sh' 'echo "$2 and $1"'
  script job.sh '#!/bin/sh' './scan.sh "$SLURM_ARRAY_TASK_ID"'
}
script reduce.py '#!/usr/bin/env python3' 'import sys' 'print(sum(open(sys.argv[1], "rb").read()))'
for name in "a 1" b-2 c; do
  head -c 3000 /dev/urandom >"$work/begin/night/$name.fits"
  seq ${#name} 100 | gzip >"$work/begin/packed/$name.gz"
done
printf '%s\t%s\n' x 1 y 2 z 3 >"$work/begin/table.tsv"
printf './scan.sh %s >out/%s.txt\n' 1 1 2 2 3 3 >"$work/begin/jobs.txt"

# A run finds the node without multicast.
start_node() {
  "$binary" node --name here --host 127.0.0.1 --no-discovery --log-level warning 2>"$work/node.log" &
  node=$!
  within 10 grep -qs ' ready on port [0-9]' "$work/node.log" || { cat "$work/node.log" >&2; die "the node did not start"; }
  local port
  port=$(awk '/ ready on port /{ print $6 }' "$work/node.log")
  cat >"$work/bin/skynet" <<END
#!/bin/bash
if [[ \$1 == engage ]]; then
  shift
  exec '$binary' engage --no-discovery --peers 127.0.0.1:$port --wait-for 1 "\$@"
fi
exec '$binary' "\$@"
END
  chmod +x "$work/bin/skynet"
  export PATH=$work/bin:$PATH
}
[[ $binary == none ]] || start_node

# The first program that a line needs and that is not there.
missing_of() { # LINE
  local name
  for name in parallel jq hq sbatch skynet; do
    [[ " $1 " == *[\ \|]"$name "* ]] || continue
    can_run "$name" >/dev/null 2>&1 || { echo "$name" && return; }
  done
}

# Whether a program is there, and the server that it needs.
can_run() { # NAME
  type -P "$1" || return
  case $1 in
    skynet) [[ $binary != none ]] ;;
    hq) hq server info ;;
    sbatch) sinfo ;;
  esac
}

failed=0
fail() { # WORDS
  echo "$*"
  failed=1
}

lines=0 first=
run_line() { # LINE
  local missing status=0
  missing=$(missing_of "$1")
  if [[ -n $missing ]]; then
    echo "left out, for want of $missing: $1"
    return
  fi
  rm -rf "$work/folder"
  cp -R "$work/begin" "$work/folder"
  (cd "$work/folder" && timeout 120 bash -euo pipefail -c "$1") >"$work/printed" 2>"$work/said" </dev/null || status=$?
  lines=$((lines + 1))
  if ((status != 0)); then
    tail -n 20 "$work/said"
    fail "exit status $status: $1"
    return
  fi
  echo "done: $1"
  if [[ -z $first ]]; then
    first=$1
    rm -rf "$work/first"
    mv "$work/folder/out" "$work/first"
    mv "$work/printed" "$work/first.printed"
  elif ! diff -r "$work/first" "$work/folder/out"; then
    fail "its files differ from those of the block's first line: $1"
  elif [[ -s $work/first.printed ]] && ! diff "$work/first.printed" "$work/printed"; then
    fail "it prints something else than the block's first line: $1"
  fi
}

in_block=
# The first block of the page has examples that do not do the same.
block=0
run_blocks() {
  while IFS= read -r line; do
    case $line in
      '```')
        if [[ -n $in_block ]]; then in_block=; else in_block=yes; fi
        first=
        block=$((block + 1))
        ;;
      '```'*) in_block=other ;;
      '$ '*)
        [[ $in_block == yes ]] || continue
        ((block > 1)) || first=
        run_line "${line#\$ }" <&-
        ;;
    esac
  done
}
run_blocks <"$page"

# shellcheck disable=SC2016 # shells that come later expand what is in single quotes
{
  # Names that mean something: to a shell, to a file system, to a parser of options, or as placeholders.
  readonly names=('-x' '--help' 'r' '1' '1.5' 'a b' $'tab\tname' $'line\nfeed' 'é' '"q"' "it's" '$(x)' '*' '[k]' '{}' '{1}' 'a\b')
  readonly words=(. .. / d d/ "${names[@]}" ' ' './r' '../folder/r' '~' '$HOME' '#' '=')
  rm -rf "$work/begin"
  mkdir -p "$work/begin"/{in,d,out}
  script show.sh '#!/bin/sh' 'printf "<%s>" "${PWD##*/}" "$@"' 'echo'
  script sum.sh '#!/bin/sh' 'cksum <"$1"'
  for name in "${names[@]}"; do
    echo "a file called $name" >"$work/begin/$name"
    echo "what is in $name" >"$work/begin/in/$name"
  done
  printf '%s\0' "${words[@]}" >"$work/begin/words0"
  printf '%s\n' "${words[@]//$'\n'/ }" >"$work/begin/words"
  printf '%s\0' "${names[@]}" >"$work/begin/names0"
  printf '%s\t%s\t%s\n' . 1 r .. d . r 1.5 -x 1.5 - / 'a b' '' '*' >"$work/begin/bed.tsv"
  printf '%s\n' './show.sh . r' 'echo "a  b" "$((1 + 1))"' 'cat ./-x' "./show.sh '{}' 1.5" >"$work/begin/jobs.txt"
}

run_blocks <<'END'
```
$ xargs -0 -n1 ./show.sh <words0
$ parallel -0 -k ./show.sh {} <words0
$ skynet engage --inputs - --null --in-order -- ./show.sh {} <words0
```
```
$ while IFS= read -r word; do ./show.sh "$word"; done <words
$ parallel -k ./show.sh {} :::: words
$ skynet engage --inputs-from words --in-order -- ./show.sh {}
```
```
$ for word in . .. d r 1 1.5 'a b' ./-x; do ./show.sh "$word"; done
$ parallel -k ./show.sh {} ::: . .. d r 1 1.5 'a b' ./-x
$ skynet engage --inputs . .. d r 1 1.5 'a b' ./-x --in-order -- ./show.sh {}
```
```
$ while IFS=$'\t' read -r a b c; do ./show.sh "$c" "$a-$b"; done < <(grep -v 'a b' bed.tsv)
$ grep -v 'a b' bed.tsv | parallel -k --colsep '\t' ./show.sh {3} {1}-{2}
$ grep -v 'a b' bed.tsv | skynet engage --inputs - --in-order -- ./show.sh {3} {1}-{2}
```
```
$ for file in in/*; do ./sum.sh "$file" >out/"${file#in/}".txt; done
$ printf '%s\0' in/* | parallel -0 './sum.sh {} >out/{/}.txt'
$ skynet engage --inputs in/* --output 'out/{/}.txt' -- ./sum.sh {}
```
```
$ find in -type f -print0 | xargs -0 -n1 sh -c './sum.sh "$1" >out/"${1##*/}"' sh
$ find in -type f -print0 | parallel -0 './sum.sh {} >out/{/}'
$ find in -type f -print0 | skynet engage --inputs - --null --output 'out/{/}' -- ./sum.sh {}
```
```
$ for file in in/*; do cp "$file" out/; done
$ printf '%s\0' in/* | parallel -0 cp {} out/
$ skynet engage --inputs 'in/?*' -- cp {} out/
```
```
$ (cd in && xargs -0 -n1 ../show.sh <../names0)
$ parallel -0 -k --wd "$PWD/in" ../show.sh {} <names0
$ skynet engage --directory in --inputs-from names0 --null --in-order -- ../show.sh {}
```
```
$ while IFS= read -r word; do printf '%s\n' "$word" | wc -c; done <words
$ skynet engage --inputs-from words --stdin --in-order -- wc -c
```
```
$ while IFS= read -r line; do sh -c "$line"; done <jobs.txt
$ parallel -k <jobs.txt
$ xargs -d '\n' -n1 sh -c <jobs.txt
$ skynet engage --inputs-from jobs.txt --in-order -- sh -c {}
```
```
$ for number in 0 1 2 3; do ./show.sh $number >out/$number; done
$ parallel './show.sh {} >out/{}' ::: 0 1 2 3
$ skynet engage --total 4 --output 'out/{}' -- ./show.sh {}
```
```
$ for file in in/*; do ./sum.sh "$file" >"$file".out; done; mv in/*.out out/
$ for i in 1 2; do skynet engage --inputs in/* --output '{}.out' --journal run.sqlite -- ./sum.sh {}; done; mv in/*.out out/
```
END
((lines > 0)) || fail "no line was run"
echo "$lines lines were run"
exit "$failed"

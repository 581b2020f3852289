#!/usr/bin/env bash
# Releases everything.
set -euo pipefail

# Where it goes.
TARGET=/tmp/out
export PATH="$PATH:/opt/bin" LANG=C
readonly VERSION=1.2 # for now
declare -a LIST=(
  one
  two
)
LIST+=(three)
DEBUG=1 make

# Says something.
log() {
  local prefix="$1"
  message=$2
  echo "$prefix: $message" >&2
}

function build {
  cat <<EOF
  kept as
it is
EOF
  inner() { echo inner; }
}

function clean() (
  rm -rf "$TARGET"
)

if [ -f Makefile ]; then
  make
elif [[ -d src && -n "$VERSION" ]]
then
  FOUND=yes
else
  exit 1
fi

for file in a b; do log "$file"; done
for ((i = 0; i < 3; i++)); do
  echo "$i"
done

while read -r line; do
  case "$line" in
    # The start.
    start|begin)
      build
      ;;
    "stop") ;;
    go)
      log go
      ;&
    *)
      log no "$line"
  esac
done < input

until false; do
  :
done
select x in 1 2; do break; done

if log a b; then :; fi

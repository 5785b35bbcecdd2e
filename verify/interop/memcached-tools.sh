#!/bin/sh
# The tools of libmemcached and memcached-tool: memcached-tools.sh PORT
set -eu

server=127.0.0.1:$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$*"
  exit 1
}

# Runs the tool of libmemcached that some distributions call memX and others memcX.
tool() {
  name=$1
  shift
  command -v "mem$name" >/dev/null && name=mem$name || name=memc$name
  "$name" "$@" >"$work/out" 2>&1 || fail "$name $*: $(cat "$work/out")"
}

says() { grep -q -- "$1" "$work/out" || fail "no $1 in: $(cat "$work/out")"; }

tool capable -h 127.0.0.1 -p "$1"
says 'All tests passed'

tool ping --servers="$server"
tool flush --servers="$server"
echo value >"$work/key"
for protocol in '' --binary; do
  # shellcheck disable=SC2086 # an option or none
  tool cp $protocol --servers="$server" "$work/key"
  # shellcheck disable=SC2086
  tool cat $protocol --servers="$server" key
  says '^value$'
  # shellcheck disable=SC2086
  tool exist $protocol --servers="$server" key
  # shellcheck disable=SC2086
  tool stat $protocol --servers="$server"
  says 'curr_items: 1'
done
tool touch --servers="$server" --expire=100 key
tool dump --servers="$server"
says '^key$'
tool rm --servers="$server" key
tool cp --servers="$server" "$work/key"

perl=$(command -v memcached-tool || echo /usr/share/memcached/scripts/memcached-tool)
for mode in display stats settings sizes dump; do
  perl "$perl" "$server" "$mode" >"$work/out" 2>&1 || fail "memcached-tool $mode: $(cat "$work/out")"
  case $mode in
    display) says ' no ' ;;
    stats) says 'curr_items  *1' ;;
    settings) says 'item_size_max' ;;
    sizes) says 'sizes_status' ;;
    dump) says '^add key 0 ' ;;
  esac
done
echo 'all good'

#!/bin/sh
# curl against REST: rest-client.sh PORT
set -eu

base=http://127.0.0.1:$1/rest/v2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$*"
  exit 1
}

# Fails unless the status of `curl ARGUMENTS` is $1; leaves head and body in files.
expect() {
  wanted=$1
  shift
  got=$(curl -s -o "$work/body" -D "$work/head" -w '%{http_code}' "$@") || fail "curl failed: $*"
  [ "$got" = "$wanted" ] || fail "status $got, not $wanted: $* : $(cat "$work/body")"
}

body_is() { [ "$(cat "$work/body")" = "$1" ] || fail "body is $(cat "$work/body"), not $1"; }
header() { sed -n "s/^$1: //Ip" "$work/head" | tr -d '\r'; }
header_is() { [ "$(header "$1")" = "$2" ] || fail "$1 is $(header "$1"), not $2"; }

entry=$base/caches/default/greeting
expect 404 "$entry"
expect 204 -X POST -H 'Content-Type: text/plain' -d 'hello' "$entry"
expect 409 -X POST -d 'other' "$entry"
expect 200 "$entry"
body_is hello
header_is content-type text/plain
etag=$(header etag)
expect 304 -H "If-None-Match: $etag" "$entry"
expect 200 -I "$entry"
header_is content-length 5
expect 204 -X PUT -H 'Content-Type: application/json' -d '{"a":1}' "$entry"
expect 200 -H "If-None-Match: $etag" "$entry"
header_is content-type application/json
body_is '{"a":1}'

expect 204 -X PUT -H 'timeToLiveSeconds: 100' -H 'maxIdleTimeSeconds: 50' -d 'v' "$entry"
expect 200 "$entry"
header_is timetoliveseconds 100
header_is maxidletimeseconds 50
expect 204 -X DELETE "$entry"
expect 404 -X DELETE "$entry"

head -c 3000000 /dev/urandom >"$work/random"
expect 204 -T "$work/random" -H 'Content-Type: image/png' "$base/caches/default/a%2Fb"
expect 200 "$base/caches/default/a%2Fb"
cmp -s "$work/body" "$work/random" || fail 'the file came back changed'

expect 200 -X POST -H 'Content-Type: application/json' \
  -d '{"distributed-cache":{"mode":"SYNC"}}' "$base/caches/made"
expect 400 -X POST "$base/caches/made"
expect 204 -I "$base/caches/made"
expect 204 -X PUT -d 1 "$base/caches/made/k"
expect 200 "$base/caches/made?action=size"
body_is 1
expect 204 -X POST "$base/caches/made?action=clear"
expect 200 "$base/caches/made?action=size"
body_is 0
expect 200 "$base/caches"
grep -q '"made"' "$work/body" || fail 'the new cache is not listed'
expect 200 -X DELETE "$base/caches/made"
expect 404 "$base/caches/made/k"

expect 200 "http://127.0.0.1:$1/health/live"
expect 200 "http://127.0.0.1:$1/health/ready"
expect 200 "$base/container/health/status"
body_is HEALTHY
echo 'all good'

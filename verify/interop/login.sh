#!/bin/sh
# curl and memcached, logging in: login.sh PORT MEMCACHED_PORT TLS_PORT CERTIFICATE TOKEN
set -eu

clear=http://127.0.0.1:$1
memcached=$2
tls=https://localhost:$3
certificate=$4
token=$5
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
  got=$(curl -s --cacert "$certificate" -o "$work/body" -D "$work/head" -w '%{http_code}' "$@") ||
    fail "curl failed: $*"
  [ "$got" = "$wanted" ] || fail "status $got, not $wanted: $* : $(cat "$work/body")"
}

offers() { grep -qi "^WWW-Authenticate: $1 " "$work/head" || fail "not offered: $1"; }

entry=/rest/v2/caches/default/login
expect 401 "$clear$entry"
offers Digest
! grep -qi '^WWW-Authenticate: Basic' "$work/head" || fail 'BASIC without TLS'
expect 204 --digest -u ada:secret -X PUT -d hello "$clear$entry"
expect 200 --digest -u obs:secret "$clear$entry"
expect 403 --digest -u obs:secret -X DELETE "$clear$entry"
expect 403 --digest -u obs:secret -X POST "$clear/rest/v2/caches/new?template=org.infinispan.LOCAL"
expect 401 --digest -u ada:wrong "$clear$entry"
expect 401 -u ada:secret "$clear$entry"
expect 401 -H 'Authorization: Bearer abc' "$clear$entry"
for open in /health/live /health/ready /rest/v2/container/health/status /rest/v2/server; do
  expect 200 "$clear$open"
done

expect 401 "$tls$entry"
offers Digest
offers Basic
offers Bearer
expect 204 -u ada:secret -X PUT -d hello "$tls$entry"
expect 200 --digest -u ada:secret "$tls$entry"
expect 200 -H "Authorization: Bearer $token" "$tls$entry"
expect 403 -H "Authorization: Bearer $token" -X DELETE "$tls/rest/v2/caches/default"
expect 401 -H "Authorization: Bearer ${token}x" "$tls$entry"
expect 401 -u ada:wrong "$tls$entry"
expect 400 "http://127.0.0.1:$3$entry"

# Sends $1 to memcached and fails unless the answer is $2; both as formats of printf.
talk() {
  # shellcheck disable=SC2059 # they are formats
  printf "$1" | curl -s --max-time 10 "telnet://127.0.0.1:$memcached" >"$work/answer" || true
  # shellcheck disable=SC2059
  printf "$2" >"$work/wanted"
  cmp -s "$work/answer" "$work/wanted" || fail "memcached: $(cat "$work/answer") to: $1"
}

talk 'get a\r\nquit\r\n' 'CLIENT_ERROR unauthenticated\r\n'
talk 'set x 0 0 9\r\nada wrong\r\nget a\r\nquit\r\n' \
  'CLIENT_ERROR authentication failure\r\nCLIENT_ERROR unauthenticated\r\n'
talk 'set x 0 0 10\r\nada secret\r\nset a 0 0 1\r\nv\r\nget a\r\nquit\r\n' \
  'STORED\r\nSTORED\r\nVALUE a 0 1\r\nv\r\nEND\r\n'
talk 'set x 0 0 10\r\nobs secret\r\nset a 0 0 5\r\nget a\r\nget a\r\nflush_all\r\nquit\r\n' \
  'STORED\r\nCLIENT_ERROR not permitted\r\nVALUE a 0 1\r\nv\r\nEND\r\nCLIENT_ERROR not permitted\r\n'
echo 'all good'

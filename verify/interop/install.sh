#!/bin/sh
# Installs what the tests with foreign clients need: memcached, the npm package infinispan into
# verify/target/npm, the Python package pymemcache into verify/target/venv, versions of the official
# Hot Rod client for Java into verify/target/clients, and a Java 17 for the oldest applications,
# from the Debian packages. Does nothing when all are there. With the argument `clients` only the
# versions of the Hot Rod client; with the argument `java` only that Java, without an error if it can't
# be installed, since its test is skipped then; with the argument `browser` only a Chromium with what drives and
# checks pages, as npm packages into verify/target/browser.
# MAVEN names the command mvn, JAVA_HOME a JDK.
set -eu

infinispan=0.16.3
pymemcache=4.0.0
clients='16.0.12 15.2.6.Final 15.0.21.Final 9.4.24.Final'

target=$(cd -- "$(dirname -- "$0")/.." && pwd -P)/target
mkdir -p "$target"
log=$target/interop-install.log

fail() {
  printf '%s\n' "isogrid: $*" >&2
  exit 2
}

# Makes sure of the command $1, out of the Debian packages $2...
need() {
  command=$1
  shift
  command -v "$command" >/dev/null && return
  install_debian "$command is missing" "$@"
}

install_debian() {
  why=$1
  shift
  if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "isogrid: $why; installing $* with apt-get" >&2
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } \
      >>"$log" 2>&1 && return
    why="$why, and apt-get could not install $* (see $log)"
  fi
  fail "$why; the tests need it. Install it, on Debian: apt-get install $*"
}

# Runs `$@` with its output into the log.
logged() {
  "$@" >>"$log" 2>&1 || fail "this failed, see $log: $*"
}

# Java 17, the oldest that the client supports, is looked for as OldJavaTest does.
has_java_17() {
  [ -x "${JAVA17_HOME:-}/bin/java" ] && return
  for release in /usr/lib/jvm/*/release; do
    [ -x "${release%/release}/bin/java" ] && grep -q '^JAVA_VERSION="17' "$release" && return
  done
  return 1
}

only=${1:-all}

if [ "$only" = java ]; then
  has_java_17 || (install_debian 'Java 17 is missing' openjdk-17-jre-headless) ||
    echo 'isogrid: OldJavaTest is skipped: it needs a Java 17, in /usr/lib/jvm or JAVA17_HOME' >&2
  exit 0
fi

if [ "$only" = browser ]; then
  browser_packages='@sparticuz/chromium@153.0.0 puppeteer-core@25.16.0 axe-core@4.14.1'
  stamp=$target/browser/installed
  [ "$(cat "$stamp" 2>/dev/null)" != "$browser_packages" ] || exit 0
  need node nodejs
  need npm npm
  mkdir -p "$target/browser"
  echo '{"private":true}' >"$target/browser/package.json"
  # shellcheck disable=SC2086 # a list of names without blanks
  logged npm install --prefix "$target/browser" --no-audit --no-fund --no-save $browser_packages
  echo "$browser_packages" >"$stamp"
  exit 0
fi

[ "$only" != all ] || need memcached memcached

npm_stamp=$target/npm/infinispan-$infinispan
if [ "$only" = all ] && [ ! -e "$npm_stamp" ]; then
  need node nodejs
  need npm npm
  echo "installing the npm package infinispan $infinispan"
  mkdir -p "$target/npm"
  logged npm install --prefix "$target/npm" --no-audit --no-fund --no-save "infinispan@$infinispan"
  touch "$npm_stamp"
fi

venv_stamp=$target/venv/pymemcache-$pymemcache
if [ "$only" = all ] && [ ! -e "$venv_stamp" ]; then
  need python3 python3 python3-venv
  python3 -c 'import venv, ensurepip' 2>/dev/null || install_debian "Python's venv is missing" python3-venv
  echo "installing the Python package pymemcache $pymemcache"
  rm -rf "$target/venv"
  logged python3 -m venv "$target/venv"
  logged "$target/venv/bin/pip" install --quiet "pymemcache==$pymemcache"
  touch "$venv_stamp"
fi

if [ "$only" = all ] && ! has_java_17; then
  install_debian 'Java 17 is missing' openjdk-17-jre-headless
fi

for client in $clients; do
  folder=$target/clients/$client
  if [ ! -e "$folder/installed" ]; then
    echo "installing the Hot Rod client $client"
    rm -rf "$folder"
    logged "${MAVEN:-mvn}" -B -q -f "$target/../interop/clients/pom.xml" -Dclient="$client" \
      dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$folder"
    touch "$folder/installed"
  fi
done

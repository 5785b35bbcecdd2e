#!/bin/sh
# Installs what the tests with foreign clients need: memcached and the tools of libmemcached, npm
# packages into verify/target/npm, Python packages into verify/target/venv, versions of the official
# Hot Rod client for Java into verify/target/clients, Infinispan's client for REST into
# verify/target/rest-client, and a Java 17 for the oldest applications, from the Debian packages.
# Does nothing when all are there. With the argument `clients` only the versions of the Hot Rod
# client; with the argument `java` only that Java, without an error if it can't be installed, since
# its test is skipped then; with the argument `browser` only a Chromium with what drives and
# checks pages, as npm packages into verify/target/browser.
# MAVEN names the command mvn, JAVA_HOME a JDK.
set -eu

npm_packages='infinispan@0.16.3 memcached@2.2.2 memjs@1.3.2'
python_packages='pymemcache==4.0.0 python-memcached==1.62 python-binary-memcached==0.33.0 aiomcache==0.8.2'
rest_client=15.2.6.Final
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

if [ "$only" = all ]; then
  need memcached memcached
  command -v memcapable >/dev/null || need memccapable libmemcached-tools
fi

npm_stamp=$target/npm/installed
if [ "$only" = all ] && [ "$(cat "$npm_stamp" 2>/dev/null)" != "$npm_packages" ]; then
  need node nodejs
  need npm npm
  echo "installing the npm packages $npm_packages"
  mkdir -p "$target/npm"
  # shellcheck disable=SC2086 # a list of names without blanks
  logged npm install --prefix "$target/npm" --no-audit --no-fund --no-save $npm_packages
  echo "$npm_packages" >"$npm_stamp"
fi

venv_stamp=$target/venv/installed
if [ "$only" = all ] && [ "$(cat "$venv_stamp" 2>/dev/null)" != "$python_packages" ]; then
  need python3 python3 python3-venv
  python3 -c 'import venv, ensurepip' 2>/dev/null || install_debian "Python's venv is missing" python3-venv
  echo "installing the Python packages $python_packages"
  rm -rf "$target/venv"
  logged python3 -m venv "$target/venv"
  # shellcheck disable=SC2086 # a list of names without blanks
  logged "$target/venv/bin/pip" install --quiet $python_packages
  echo "$python_packages" >"$venv_stamp"
fi

if [ "$only" = all ] && ! has_java_17; then
  install_debian 'Java 17 is missing' openjdk-17-jre-headless
fi

# Makes sure that version $2 of Infinispan's client $1, with all it needs, is in folder $3.
need_client() {
  [ ! -e "$3/installed" ] || return 0
  echo "installing the $1 client $2"
  rm -rf "$3"
  logged "${MAVEN:-mvn}" -B -q -f "$target/../interop/clients/pom.xml" -Dkind="$1" -Dclient="$2" \
    dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$3"
  touch "$3/installed"
}

for client in $clients; do
  need_client hotrod "$client" "$target/clients/$client"
done
[ "$only" != all ] || need_client rest "$rest_client" "$target/rest-client"

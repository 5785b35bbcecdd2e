# Makes the archives of the server. `isogrid dist` sources this file; it uses what the launcher has set:
# root, log, server_java_opts, and the functions that build.

# The modules of the runtime in the self-contained archive: what the libraries and the command line
# need, what finds nodes by DNS, PKCS#11 and PKCS12 stores, JMX from afar, and jcmd.
runtime_modules=java.base,java.compiler,java.instrument,java.logging,java.management,java.naming
runtime_modules=$runtime_modules,java.net.http,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.xml
runtime_modules=$runtime_modules,jdk.crypto.cryptoki,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.management
runtime_modules=$runtime_modules,jdk.management.agent,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

usage_dist() {
  cat <<'EOF'
Usage: isogrid dist [OPTIONS]

Makes archives of the server in target/dist: one for machines with Java 25, and one with a Java
runtime of its own. The same sources and the same JDK give the same archives, byte by byte.

  --image             makes a container image as a tar file too; no Docker is needed
  --image-base IMAGE  puts the image on this one, for example gcr.io/distroless/base-debian12 or
                      tar://FILE; without it the image holds the C library of this machine
  --no-runtime        leaves out the archive with a runtime
  --help
EOF
}

# Reads the options `$@` of `isogrid dist`, and makes what they say.
run_dist() {
  image=no image_base=scratch runtime=yes
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h)
        usage_dist
        exit
        ;;
      --image) image=yes ;;
      --image-base)
        [ -n "${2:-}" ] || fail '--image-base needs the name of an image'
        image=yes image_base=$2
        shift
        ;;
      --no-runtime) runtime=no ;;
      *) fail "no such option: $1; isogrid dist --help lists them" ;;
    esac
    shift
  done
  [ $image = no ] || runtime=yes
  tar --version 2>/dev/null | grep -q 'GNU tar' || fail 'no GNU tar; install it, since others give archives of other bytes'
  find_jdk
  locked make_dist
}

make_dist() {
  release=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' "$root/pom.xml")
  released=$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</.*:\1:p' "$root/pom.xml")
  out=$root/target/dist
  rm -rf "$out" "$root/dist/target/lib"
  mkdir -p "$out"
  build package -Pdist -Dmaven.test.skip=true -pl :isogrid-dist -am || return
  built
  stage "$out/stage/isogrid-$release" || return
  pack "isogrid-$release" || return
  if [ $runtime = yes ]; then
    add_runtime "$out/stage/isogrid-$release/runtime" || return
    pack "isogrid-$release-$(platform)" || return
  fi
  if [ $image = yes ]; then make_image || return; fi
  rm -rf "$out/stage"
  (cd "$out" && sha256sum -- *.tar *.tar.gz 2>/dev/null >SHA256SUMS; cat SHA256SUMS)
}

# Puts what all archives have into the folder $1.
stage() {
  mkdir -p "$1/bin" "$1/conf" "$1/lib" "$1/licences" "$1/extras"
  cp "$root"/dist/target/lib/*.jar "$1/lib/" || return
  libraries=$(cd "$1/lib" && find . -name '*.jar' | sed 's:^\./::' | LC_ALL=C sort | tr '\n' ' ')
  sed -e "s/@VERSION@/$release/" -e "s/@LIBRARIES@/${libraries% }/" \
    -e "s/@SERVER_JAVA_OPTS@/$(printf %s "$server_java_opts" | tr '\n' ' ')/" \
    "$root/dist/bin/isogrid" >"$1/bin/isogrid" || return
  chmod 755 "$1/bin/isogrid"
  cp "$root"/dist/conf/* "$1/conf/" &&
    cp -R "$root/dist/systemd" "$root/dist/kubernetes" "$root/dist/monitoring" "$1/extras/" &&
    cp -R "$root/dist/container" "$1/extras/" &&
    cp "$root/LICENSE" "$root/CHANGELOG.md" "$root/dist/README.md" "$1/" &&
    cp "$root/dist/target/isogrid.cdx.json" "$1/licences/" || return
  sed -i.old "s/@VERSION@/$release/g" "$1/README.md" "$1"/extras/*/* && rm -f "$1"/*.old "$1"/extras/*/*.old
  "$jdk/bin/java" -cp "$root/dist/target/classes" dev.isogrid.dist.ThirdParty \
    "$root/dist/target/isogrid.cdx.xml" "$1/lib" "$1/licences"
}

# Links a Java runtime into the folder $1. Its class data are for the options of a server.
add_runtime() {
  "$jdk/bin/jlink" --add-modules "$runtime_modules" --strip-debug --no-header-files --no-man-pages \
    --output "$1" >>"$log" 2>&1 &&
    "$1/bin/java" -Xshare:dump -XX:+UseCompactObjectHeaders >>"$log" 2>&1 && return
  say "no runtime can be linked by $jdk; the whole output is in $log"
  return 1
}

platform() { uname -sm | tr 'A-Z ' 'a-z-'; }

# Packs the staged folder as the archive $1: names sorted, times and owners fixed.
pack() {
  (cd "$out/stage" && tar --sort=name --mtime="$released" --owner=0 --group=0 --numeric-owner \
    --mode=u+rwX,go+rX,go-w --format=ustar -cf - "isogrid-$release" | gzip -9n >"$out/$1.tar.gz")
}

# Makes an image of the staged folder with a runtime.
make_image() {
  tree=$out/stage/image
  mkdir -p "$tree/opt/isogrid" "$tree/tmp" "$tree/data"
  cp -R "$out/stage/isogrid-$release/runtime" "$out/stage/isogrid-$release/licences" \
    "$root/LICENSE" "$tree/opt/isogrid/" || return
  [ "$image_base" != scratch ] || copy_c_library "$tree" || return
  build package -Pimage -Dmaven.test.skip=true -pl :isogrid-server -am "-Dimage.tree=$tree" \
    "-Djib.from.image=$image_base" "-Djib.to.image=isogrid:$release" \
    "-Djib.outputPaths.tar=$out/isogrid-$release-image.tar" \
    "-Djib.container.jvmFlags=$(printf %s "$server_java_opts" | tr -s ' \n' ,)" || return
  built
}

# Copies the C library that the runtime is linked with, and its licence, into the tree $1.
copy_c_library() {
  find "$1/opt/isogrid/runtime" -type f \( -name '*.so' -o -name java \) -exec ldd {} + |
    sed -n 's:.*=> \(/[^ ]*\) .*:\1:p; s:^[[:space:]]*\(/[^ ]*ld-[^ ]*\) .*:\1:p' |
    grep -v "^$1" | LC_ALL=C sort -u >"$out/stage/libraries"
  # Names of hosts are looked up by libraries that nothing is linked with.
  sed -n 's:/libc\.so\.6$::p' "$out/stage/libraries" | while IFS= read -r folder; do
    ls "$folder"/libnss_dns.so.2 "$folder"/libnss_files.so.2 "$folder"/libresolv.so.2 2>/dev/null
  done >>"$out/stage/libraries"
  while IFS= read -r library; do
    mkdir -p "$1$(dirname -- "$library")" && cp -L "$library" "$1$library" || return
  done <"$out/stage/libraries"
  [ ! -r /usr/share/doc/libc6/copyright ] || {
    mkdir -p "$1/opt/isogrid/licences/libc6"
    cp -L /usr/share/doc/libc6/copyright "$1/opt/isogrid/licences/libc6/"
  }
}

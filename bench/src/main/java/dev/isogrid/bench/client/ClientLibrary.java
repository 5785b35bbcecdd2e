package dev.isogrid.bench.client;

import dev.isogrid.bench.run.Checkout;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A client that is measured. */
enum ClientLibrary {
  /** The client of this product. */
  ISOGRID("isogrid", "Isogrid", ""),
  /** The official client, pipelined. */
  INFINISPAN_16("infinispan-16", "Infinispan 16.0.12", "16.0.12"),
  /** The last version of the official client with a pool of connections. */
  INFINISPAN_15("infinispan-15", "Infinispan 15.0.21.Final, pooled", "15.0.21.Final");

  private final String id;
  private final String label;
  private final String version;

  ClientLibrary(String id, String label, String version) {
    this.id = id;
    this.label = label;
    this.version = version;
  }

  /** The word of the command line. */
  String id() {
    return id;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /**
   * The class path of a process with this client: for Infinispan's, the libraries of its release.
   */
  String classPath(Checkout checkout) throws IOException {
    String own = System.getProperty("java.class.path");
    if (this == ISOGRID) {
      return own;
    }
    List<String> entries = new ArrayList<>();
    entries.add(own.split(File.pathSeparator, 2)[0]);
    Path folder = checkout.root().resolve("verify/target/clients").resolve(version);
    try (Stream<Path> files = Files.list(folder)) {
      files.map(Path::toString).filter(file -> file.endsWith(".jar")).forEach(entries::add);
    }
    return String.join(File.pathSeparator, entries);
  }

  /** Connects to servers; only in a process of {@link #classPath}. */
  RemoteMap open(List<Integer> ports, String cache) {
    return this == ISOGRID ? new IsogridMap(ports, cache) : new InfinispanMap(ports, cache);
  }
}

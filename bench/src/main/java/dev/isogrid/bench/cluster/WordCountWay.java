package dev.isogrid.bench.cluster;

import java.util.List;

/** A way to count words. */
enum WordCountWay {
  /** Threads that go through arrays in memory: what nothing can be faster than. */
  LOOP("plain loop"),

  /** A map/reduce. */
  MAP_REDUCE("map/reduce"),

  /** A parallel stream over the values that is collected. */
  STREAM("stream");

  private final String label;

  WordCountWay(String label) {
    this.label = label;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** Those that a library has. */
  static List<WordCountWay> of(ClusterLibrary library) {
    return switch (library) {
      case ISOGRID -> List.of(MAP_REDUCE, STREAM);
      case INFINISPAN -> List.of(STREAM);
    };
  }
}

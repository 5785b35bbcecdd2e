package dev.isogrid.bench.cluster;

import java.util.List;

/** A way to count words. */
enum WordCountWay {
  /** Threads that go through arrays in memory: what nothing can be faster than. */
  LOOP("plain loop"),

  /** The same over bytes, of which no objects are made. */
  BYTE_LOOP("plain byte loop"),

  /** A map/reduce. */
  MAP_REDUCE("map/reduce"),

  /** A map/reduce whose mapper reads the bytes where they are. */
  BYTE_MAP_REDUCE("map/reduce of bytes"),

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

  /** Whether it needs no library. */
  boolean isLoop() {
    return this == LOOP || this == BYTE_LOOP;
  }

  /** The loop that does the same. */
  WordCountWay loop() {
    return this == BYTE_LOOP || this == BYTE_MAP_REDUCE ? BYTE_LOOP : LOOP;
  }

  /** Those that a library has. */
  static List<WordCountWay> of(ClusterLibrary library) {
    return switch (library) {
      case ISOGRID -> List.of(MAP_REDUCE, BYTE_MAP_REDUCE, STREAM);
      case INFINISPAN -> List.of(STREAM);
      case INFINISPAN_8 -> List.of(MAP_REDUCE);
    };
  }
}

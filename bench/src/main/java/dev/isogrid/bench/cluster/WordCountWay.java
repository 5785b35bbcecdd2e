package dev.isogrid.bench.cluster;

import java.util.List;

/** A way to count words. */
enum WordCountWay {
  /** Threads that read arrays in memory: the upper bound of the speed. */
  LOOP("plain loop"),

  /** The same over bytes, without objects. */
  BYTE_LOOP("plain byte loop"),

  /** A map/reduce. */
  MAP_REDUCE("map/reduce"),

  /** A map/reduce whose mapper reads the bytes in place. */
  BYTE_MAP_REDUCE("map/reduce of bytes"),

  /** A parallel stream over the values with a collector. */
  STREAM("stream");

  private final String label;

  WordCountWay(String label) {
    this.label = label;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** Whether it runs without a library. */
  boolean isLoop() {
    return this == LOOP || this == BYTE_LOOP;
  }

  /** The comparable loop. */
  WordCountWay loop() {
    return this == BYTE_LOOP || this == BYTE_MAP_REDUCE ? BYTE_LOOP : LOOP;
  }

  /** The ways that a library supports. */
  static List<WordCountWay> of(ClusterLibrary library) {
    return switch (library) {
      case ISOGRID -> List.of(MAP_REDUCE, BYTE_MAP_REDUCE, STREAM);
      case INFINISPAN -> List.of(STREAM);
      case INFINISPAN_8 -> List.of(MAP_REDUCE);
      case FLOOR -> List.of();
    };
  }
}

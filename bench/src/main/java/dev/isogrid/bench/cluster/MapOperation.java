package dev.isogrid.bench.cluster;

/** An operation of a cache that is measured. */
enum MapOperation {
  /** Reads an existing value. */
  GET("get"),

  /** Replaces a value, and gets the one before. */
  PUT("put"),

  /** Replaces a value without getting the one before. */
  SET("put, no value before");

  private final String label;

  MapOperation(String label) {
    this.label = label;
  }

  /** The name in reports. */
  String label() {
    return label;
  }
}

package dev.isogrid.bench.cluster;

/** Operations on all entries of a cache, repeated from one node. */
enum StreamMeasure {
  /** A get of a key whose entry is on another node. */
  REMOTE_GET("get of a key of another node", false),

  /** A get of any key. */
  GET("get", false),

  /** A put of any key. */
  PUT("put", false),

  /** The number of entries. */
  SIZE("size()", false),

  /** The number of entries, all of which have a lifespan that does not end soon. */
  SIZE_WITH_LIFESPANS("size(), all entries with lifespans", false),

  /** Each entry with its value. */
  ITERATE("full iteration", true),

  /** The same while a node joins. */
  ITERATE_WHILE_JOINING("full iteration while a node joins", true),

  /** The number of entries that pass a filter. */
  FILTER_COUNT("filter + count", true),

  /** The sum of numbers. */
  SUM("sum of numbers", true),

  /** The same over bytes, if the library can do that. */
  SUM_OF_BYTES("sum of numbers over bytes", true),

  /** The number of entries per value of a property with ten values. */
  GROUP_BY("group by + count", true);

  private final String label;
  private final boolean isOfAllEntries;

  StreamMeasure(String label, boolean isOfAllEntries) {
    this.label = label;
    this.isOfAllEntries = isOfAllEntries;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** Whether its speed is shown in entries per second; else its time is shown. */
  boolean isOfAllEntries() {
    return isOfAllEntries;
  }
}

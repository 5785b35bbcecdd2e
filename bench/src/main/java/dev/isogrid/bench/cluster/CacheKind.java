package dev.isogrid.bench.cluster;

/** The storage of a cache. */
enum CacheKind {
  /** On the nodes of a cluster, with the default configuration. */
  DISTRIBUTED("distributed, heap"),

  /** On the nodes of a cluster, outside of the heap. */
  DISTRIBUTED_OFF_HEAP("distributed, off-heap"),

  /** On one node, with the default configuration. */
  LOCAL("local, heap"),

  /** On one node; keys and values are kept as objects. */
  LOCAL_OBJECTS("local, heap, objects"),

  /** On one node, outside of the heap. */
  LOCAL_OFF_HEAP("local, off-heap"),

  /** As {@link #LOCAL}, with one segment. */
  LOCAL_ONE_SEGMENT("local, heap, one segment");

  private final String label;

  CacheKind(String label) {
    this.label = label;
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** Whether the nodes of a cluster share it. */
  boolean isDistributed() {
    return this == DISTRIBUTED || this == DISTRIBUTED_OFF_HEAP;
  }

  /** Whether entries are outside of the heap. */
  boolean isOffHeap() {
    return this == DISTRIBUTED_OFF_HEAP || this == LOCAL_OFF_HEAP;
  }
}

package dev.isogrid.bench.cluster;

/** How a cache is to be made. */
enum CacheKind {
  /** On the nodes of a cluster, as it is when nothing else is configured. */
  DISTRIBUTED("distributed, heap"),

  /** On the nodes of a cluster, outside of the heap. */
  DISTRIBUTED_OFF_HEAP("distributed, off-heap"),

  /** On one node, as it is when nothing else is configured. */
  LOCAL("local, heap"),

  /** On one node; keys and values are kept as the objects that they are. */
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

  /** Whether nodes share it. */
  boolean isDistributed() {
    return this == DISTRIBUTED || this == DISTRIBUTED_OFF_HEAP;
  }

  /** Whether entries are outside of the heap. */
  boolean isOffHeap() {
    return this == DISTRIBUTED_OFF_HEAP || this == LOCAL_OFF_HEAP;
  }
}

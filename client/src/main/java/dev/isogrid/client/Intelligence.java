package dev.isogrid.client;

import dev.isogrid.wire.HotRod;

/** The knowledge of the cluster that a client asks for. */
public enum Intelligence {
  /** Only the servers that it was configured with. */
  BASIC(HotRod.INTELLIGENCE_BASIC),
  /** All servers; operations go to them in turn. */
  TOPOLOGY_AWARE(HotRod.INTELLIGENCE_TOPOLOGY),
  /** All servers, and the owners of each key; operations on a key go to its primary owner. */
  HASH_DISTRIBUTION_AWARE(HotRod.INTELLIGENCE_HASH);

  private final int code;

  Intelligence(int code) {
    this.code = code;
  }

  /** As in a request's header. */
  int code() {
    return code;
  }
}

package dev.isogrid.client;

import dev.isogrid.wire.HotRod;

/** How much of the cluster a client wants to know. */
public enum Intelligence {
  /** Only the servers that it was configured with. */
  BASIC(HotRod.INTELLIGENCE_BASIC),
  /** All servers; operations go to them in turn. */
  TOPOLOGY_AWARE(HotRod.INTELLIGENCE_TOPOLOGY),
  /** All servers and who owns which key; operations on a key go to its primary owner. */
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

package dev.isogrid.client;

import dev.isogrid.wire.Versions;
import java.util.Locale;

/**
 * The version of the Hot Rod protocol that a client speaks. With one connection per server it is
 * 3.0 or newer; older ones need a {@linkplain ConnectionPoolConfig pool of connections}.
 */
public enum ProtocolVersion {
  /** 2.0; operations that it does not have are refused. */
  PROTOCOL_VERSION_20(Versions.V20),
  /** 2.1: has bulk operations and tasks. */
  PROTOCOL_VERSION_21(Versions.V21),
  /** 2.2: has lifespans shorter than a second. */
  PROTOCOL_VERSION_22(Versions.V22),
  /** 2.3: has iterations. */
  PROTOCOL_VERSION_23(Versions.V23),
  /** 2.4: has iterations with parameters of a filter. */
  PROTOCOL_VERSION_24(Versions.V24),
  /** 2.5: has iterations with metadata. */
  PROTOCOL_VERSION_25(Versions.V25),
  /** 2.6: has listeners to some kinds of events. */
  PROTOCOL_VERSION_26(Versions.V26),
  /** 2.7: has counters and multimaps. */
  PROTOCOL_VERSION_27(Versions.V27),
  /** 2.8: has formats of keys and values. */
  PROTOCOL_VERSION_28(Versions.V28),
  /** 2.9. */
  PROTOCOL_VERSION_29(Versions.V29),
  /** 3.0: has all flags. */
  PROTOCOL_VERSION_30(Versions.V30),
  /** 3.1: has near caches with a bloom filter. */
  PROTOCOL_VERSION_31(Versions.V31),
  /** 4.0: not with a pool. */
  PROTOCOL_VERSION_40(Versions.V40),
  /** 4.1: has streaming; not with a pool. */
  PROTOCOL_VERSION_41(Versions.V41),
  /** The newest one that client and server have. */
  AUTO(Versions.NEWEST);

  private final int newest;

  ProtocolVersion(int newest) {
    this.newest = newest;
  }

  /** As on the wire: the version itself, or the newest that is tried. */
  int newest() {
    return newest;
  }

  /**
   * Reads a version such as {@code 2.5}, or {@code auto}.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public static ProtocolVersion parse(String text) {
    String name = text.toUpperCase(Locale.ROOT).replace(".", "");
    for (ProtocolVersion version : values()) {
      if (version.name().equals(name) || version.name().equals("PROTOCOL_VERSION_" + name)) {
        return version;
      }
    }
    throw new IllegalArgumentException(
        "unknown version of the protocol: version=%s; 2.0 to 2.9, 3.0, 3.1, 4.0, 4.1 or auto"
            .formatted(text));
  }
}

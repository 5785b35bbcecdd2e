package dev.isogrid.server.security;

import org.jspecify.annotations.Nullable;

/** The mechanisms of SASL, in the order in which clients see them. */
public enum Mechanism {
  SCRAM_SHA_512(Hash.SHA_512),
  SCRAM_SHA_384(Hash.SHA_384),
  SCRAM_SHA_256(Hash.SHA_256),
  DIGEST_SHA_512(Hash.SHA_512),
  DIGEST_SHA_384(Hash.SHA_384),
  DIGEST_SHA_256(Hash.SHA_256),
  PLAIN(null),
  EXTERNAL(null),
  OAUTHBEARER(null);

  private final @Nullable Hash hash;

  Mechanism(@Nullable Hash hash) {
    this.hash = hash;
  }

  /** The name of the mechanism for clients, such as {@code SCRAM-SHA-256}. */
  public String title() {
    return name().replace('_', '-');
  }

  /** Its hash function. Only mechanisms with the name of a hash function at the end have one. */
  Hash hash() {
    Hash own = hash;
    if (own == null) {
      throw new AssertionError("no hash function: mechanism=" + title());
    }
    return own;
  }

  /** The mechanism of a name, or null. */
  public static @Nullable Mechanism of(String title) {
    for (Mechanism mechanism : values()) {
      if (mechanism.title().equals(title)) {
        return mechanism;
      }
    }
    return null;
  }
}

package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import java.util.Objects;

/**
 * The caches that a node keeps for itself: counters, locks, schemas. Their names begin with {@code
 * ___} or {@code org.infinispan.}, which no user's cache may. They are in no list of caches, in no
 * statistics and not in JMX. A client of a protocol can reach those with {@code ___} once they are
 * there, since some clients keep schemas by plain puts; the others are the node's alone.
 *
 * <p>A node without a cluster has them to itself; a cluster replicates them to all nodes. So what
 * is in them is lost only when the last node that had a complete copy is gone, and each node hears
 * of all changes without asking another one. That costs a write an acknowledgement of every node,
 * which these caches can bear: they are small. Entries are in memory, like those of all caches:
 * when the last node ends, they are gone; their users write what outlives it.
 */
public final class InternalCaches {
  /** Where schemas are, which clients may use. */
  public static final String SCHEMAS = "___protobuf_metadata";

  /** Where counters are. */
  public static final String COUNTERS = "org.infinispan.COUNTER";

  /** Where locks, semaphores and sequences are. */
  static final String LOCKS = "org.infinispan.LOCKS";

  private static final String OPEN_PREFIX = "___";
  private static final String PRIVATE_PREFIX = "org.infinispan.";

  /** Few entries: more segments would cost each node more than they bring. */
  static final int SEGMENTS = 16;

  private InternalCaches() {}

  /** Whether no user's cache can have a name. */
  public static boolean isReserved(String name) {
    return Objects.requireNonNull(name, "name").startsWith(OPEN_PREFIX) || isPrivate(name);
  }

  /** Whether a name is one of a cache that clients can't reach. */
  static boolean isPrivate(String name) {
    return name.startsWith(PRIVATE_PREFIX);
  }

  /**
   * Refuses a name that a user's cache can't have.
   *
   * @throws InvalidRequestException if it is reserved
   */
  static void checkNotReserved(String name) {
    if (isReserved(name)) {
      throw new InvalidRequestException(
          "reserved cache name: name=%s; choose one that begins neither with %s nor with %s"
              .formatted(name, OPEN_PREFIX, PRIVATE_PREFIX));
    }
  }

  /** A name that is reserved. */
  static String checkReserved(String name) {
    if (!isReserved(name)) {
      throw new IllegalArgumentException("not the name of an internal cache: name=" + name);
    }
    return name;
  }

  /** How these caches are kept. */
  static CacheConfig config(boolean isClustered, String mediaType) {
    return CacheConfig.builder()
        .mode(isClustered ? CacheMode.REPL_SYNC : CacheMode.LOCAL)
        .segments(SEGMENTS)
        .storage(StorageType.HEAP_BINARY)
        .encoding(mediaType, mediaType)
        .build();
  }
}

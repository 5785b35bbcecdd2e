package dev.isogrid.bench.memory;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.bench.server.Protocol;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The libraries and servers that are measured. */
enum Row {
  ISOGRID_HEAP_OBJECT("Isogrid library, HEAP_OBJECT"),
  ISOGRID_HEAP_BINARY("Isogrid library, HEAP_BINARY"),
  ISOGRID_OFF_HEAP("Isogrid library, OFF_HEAP"),
  ISOGRID_OFF_HEAP_BOUNDED("Isogrid library, OFF_HEAP, lifespan, max-count"),
  ISOGRID_HOT_ROD("Isogrid server, Hot Rod", Protocol.HOT_ROD),
  ISOGRID_MEMCACHED("Isogrid server, memcached", Protocol.MEMCACHED),
  ISOGRID_REST("Isogrid server, REST", Protocol.REST),
  INFINISPAN_HEAP("Infinispan library, heap"),
  INFINISPAN_OFF_HEAP("Infinispan library, off-heap"),
  INFINISPAN_HOT_ROD("Infinispan server, Hot Rod", Protocol.HOT_ROD),
  CONCURRENT_HASH_MAP("ConcurrentHashMap"),
  CAFFEINE("Caffeine, bounded"),
  HAZELCAST("Hazelcast, BINARY"),
  MEMCACHED("memcached", Protocol.MEMCACHED),
  REDIS("Redis", Protocol.RESP);

  private final String label;
  private final @Nullable Protocol protocol;

  Row(String label) {
    this(label, null);
  }

  Row(String label, @Nullable Protocol protocol) {
    this.label = label;
    this.protocol = protocol;
  }

  /**
   * The one of a name.
   *
   * @throws InvalidRequestException if no row has this name; the message lists the names
   */
  static Row of(String id) {
    return Arrays.stream(values())
        .filter(row -> row.id().equals(id))
        .findFirst()
        .orElseThrow(() ->
            new InvalidRequestException(
                "no such row: %s; there are %s"
                    .formatted(id, Arrays.stream(values()).map(Row::id).toList())));
  }

  /** The name on the command line. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The name in reports. */
  String label() {
    return label;
  }

  /** The protocol of the load of a server; null for a library. */
  @Nullable Protocol protocol() {
    return protocol;
  }

  /** Whether it is this product. */
  boolean isOwn() {
    return name().startsWith("ISOGRID_");
  }
}

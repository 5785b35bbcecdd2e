package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The puts of one caller by their segments, until all of them are known: those of a segment are
 * then done together. Not thread-safe.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
final class SegmentPuts<K, V> {
  /** Bytes of keys and values that are done together; a message can take more than twice that. */
  static final long BYTES_MAX = 16 << 20;

  /** Entries that are done together: it holds up a segment, and a node's driver, for so long. */
  static final int COUNT_MAX = 65_536;

  /**
   * One of them.
   *
   * @param write its own, with a value of its own
   */
  record Put<K, V>(K key, int hash, KeyWrite<K, V> write) {}

  /** Those that are done together. */
  private static final class Group<K, V> {
    private final Map<Object, Put<K, V>> puts = new LinkedHashMap<>();
    private long bytes;

    boolean hasRoom(long more) {
      return puts.size() < COUNT_MAX && bytes + more <= BYTES_MAX;
    }
  }

  /** Does them. */
  interface Writer<K, V> {
    /**
     * Does the puts of a segment together.
     *
     * @param index the segment's number in the cache
     * @param puts of different keys, one or more
     */
    void write(int index, List<Put<K, V>> puts);
  }

  private final Map<Integer, Deque<Group<K, V>>> groups = new LinkedHashMap<>();

  /**
   * Takes a put, unless it is no plain one.
   *
   * @param key borrowed, as what the write has
   * @return false for a write that has to be done by itself
   */
  boolean tryAdd(K key, int hash, int index, KeyWrite<K, V> write) {
    V value = write.value();
    if (value == null || !write.isPlain()) {
      return false;
    }
    long bytes = bytes(key, value);
    Deque<Group<K, V>> ofSegment = groups.computeIfAbsent(index, _ -> new ArrayDeque<>(1));
    Group<K, V> last = ofSegment.peekLast();
    if (last == null || !last.hasRoom(bytes) || !isAlike(last, write)) {
      last = new Group<>();
      ofSegment.add(last);
    }
    K ownKey = own(key);
    last.puts.put(identity(ownKey), new Put<>(ownKey, hash, write.withValue(own(value))));
    last.bytes += bytes;
    return true;
  }

  private static <K, V> boolean isAlike(Group<K, V> group, KeyWrite<K, V> write) {
    return group.puts.values().iterator().next().write().isSilent() == write.isSilent();
  }

  private static long bytes(Object key, Object value) {
    return key instanceof BinaryKey binary && value instanceof Bytes bytes
        ? (long) binary.length() + bytes.length()
        : 0;
  }

  /** What stays as it is when the caller goes on: bytes are copied. */
  @SuppressWarnings("unchecked") // of the same kind
  static <T> T own(T object) {
    return switch (object) {
      case BinaryKey key -> (T) BinaryKey.of(key.toByteArray());
      case Bytes bytes -> (T) Bytes.of(bytes.toByteArray());
      default -> object;
    };
  }

  /** What is the same for the same keys. */
  private static Object identity(Object key) {
    return key instanceof BinaryKey binary ? ByteString.of(binary.toByteArray()) : key;
  }

  /** Has all of them done, and forgets them; those of one segment in the order of their parts. */
  void flush(Writer<K, V> writer) {
    if (groups.isEmpty()) {
      return;
    }
    Map<Integer, Deque<Group<K, V>>> all = new LinkedHashMap<>(groups);
    groups.clear();
    all.forEach((index, ofSegment) ->
        ofSegment.forEach(group -> writer.write(index, new ArrayList<>(group.puts.values()))));
  }
}

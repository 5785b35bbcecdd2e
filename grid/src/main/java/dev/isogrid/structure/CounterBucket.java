package dev.isogrid.structure;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterEvent;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.store.BinaryKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counters with the same hash of their names, which share one entry. Immutable. */
final class CounterBucket {
  /*
   * Hot Rod clients send an operation on a counter to the owner of a segment. They find the segment
   * by the 32-bit hash of the name, as a key of 4 bytes, low ones first. So that is the key of the
   * entry, and names that share a hash share the entry.
   *
   *   layout 1, counters 2, persistent ones 2, and each of them:
   *   name length 2, name in UTF-8, type 1, storage 1, concurrency 4, lower 8, upper 8, initial 8,
   *   life 4, value 8, state 1, revision 8
   *
   * Numbers have their high bytes first.
   */
  private static final int LAYOUT = 2;

  /** The bytes of a counter without its name. */
  static final int STATE_BYTES = 1 + 1 + 4 + 3 * 8 + 4 + 8 + 1 + 8;

  /** Beside the name. */
  private static final int COUNTER_BYTES = 2 + STATE_BYTES;

  private static final int HEAD_BYTES = 1 + 2 + 2;

  /** The position of the number of persistent counters in an entry. */
  private static final int PERSISTENT_OFFSET = 1 + 2;

  /**
   * The most counters of an entry. More names with one hash would be an attack, and would slow down
   * the operations on all of them.
   */
  static final int COUNTERS_MAX = 100;

  private static final List<CounterConfig.Type> TYPES = List.of(CounterConfig.Type.values());
  private static final List<CounterConfig.Storage> STORAGES =
      List.of(CounterConfig.Storage.values());
  private static final List<CounterEvent.State> STATES = List.of(CounterEvent.State.values());

  /** The content of a missing entry. */
  static final CounterBucket EMPTY = new CounterBucket(Map.of());

  private final Map<String, CounterState> counters;

  private CounterBucket(Map<String, CounterState> counters) {
    this.counters = counters;
  }

  /** The key of a counter's entry. */
  static BinaryKey keyOf(String name) {
    int hash = Arrays.hashCode(name.getBytes(StandardCharsets.UTF_8));
    byte[] key = new byte[Integer.BYTES];
    ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).putInt(hash);
    return BinaryKey.of(key);
  }

  /** The counters, in the order in which they were defined. */
  Map<String, CounterState> counters() {
    return counters;
  }

  @Nullable CounterState find(String name) {
    return counters.get(name);
  }

  boolean isEmpty() {
    return counters.isEmpty();
  }

  /**
   * The same with another state of a counter.
   *
   * @param state null to remove the counter
   */
  CounterBucket with(String name, @Nullable CounterState state) {
    Map<String, CounterState> next = new LinkedHashMap<>(counters);
    if (state == null) {
      next.remove(name);
    } else {
      next.put(name, state);
    }
    if (next.size() > COUNTERS_MAX) {
      throw new InvalidRequestException(
          "too many counters whose names have one hash: name=%s, limit=%d; choose another name"
              .formatted(name, COUNTERS_MAX));
    }
    return new CounterBucket(next);
  }

  byte[] toBytes() {
    List<byte[]> names =
        counters.keySet().stream().map(name -> name.getBytes(StandardCharsets.UTF_8)).toList();
    int size = HEAD_BYTES;
    for (byte[] name : names) {
      size += COUNTER_BYTES + name.length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    out.put((byte) LAYOUT).putShort((short) counters.size());
    out.putShort((short) counters.values().stream().filter(CounterState::isPersistent).count());
    Iterator<byte[]> nextName = names.iterator();
    for (CounterState counter : counters.values()) {
      byte[] name = nextName.next();
      out.putShort((short) name.length).put(name);
      put(out, counter);
    }
    return out.array();
  }

  /** Writes a counter without its name: {@link #STATE_BYTES}. */
  static void put(ByteBuffer out, CounterState counter) {
    CounterConfig config = counter.config();
    out.put((byte) TYPES.indexOf(config.type())).put((byte) STORAGES.indexOf(config.storage()));
    out.putInt(config.concurrency());
    out.putLong(config.lower()).putLong(config.upper()).putLong(config.initial());
    out.putInt(counter.life()).putLong(counter.value());
    out.put((byte) STATES.indexOf(counter.state())).putLong(counter.revision());
  }

  /** Whether an entry has a counter that must survive all nodes. */
  static boolean hasPersistent(byte[] bytes) {
    return bytes.length >= HEAD_BYTES
        && (bytes[PERSISTENT_OFFSET] != 0 || bytes[PERSISTENT_OFFSET + 1] != 0);
  }

  /**
   * Parses the form of {@link #toBytes}.
   *
   * @throws FatalGridException if the bytes are something else
   */
  static CounterBucket of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      int layout = in.get();
      if (layout != LAYOUT) {
        throw unreadable("layout=" + layout);
      }
      int count = Short.toUnsignedInt(in.getShort());
      in.getShort(); // how many are persistent, for hasPersistent
      Map<String, CounterState> counters = LinkedHashMap.newLinkedHashMap(count);
      for (int i = 0; i < count; i++) {
        byte[] name = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(name);
        counters.put(new String(name, StandardCharsets.UTF_8), counter(in));
      }
      return new CounterBucket(counters);
    } catch (BufferUnderflowException | IndexOutOfBoundsException _) {
      throw unreadable("size=" + bytes.length);
    }
  }

  /** Parses the form of {@link #put}. */
  static CounterState counter(ByteBuffer in) {
    CounterConfig.Type type = TYPES.get(in.get());
    CounterConfig.Storage storage = STORAGES.get(in.get());
    int concurrency = in.getInt();
    long lower = in.getLong();
    long upper = in.getLong();
    CounterConfig config =
        new CounterConfig(type, in.getLong(), lower, upper, concurrency, storage);
    return new CounterState(config, in.getInt(), in.getLong(), STATES.get(in.get()), in.getLong());
  }

  static FatalGridException unreadable(String what) {
    return new FatalGridException(
        "unreadable entry of counters: %s; do all nodes have the same version?".formatted(what));
  }
}

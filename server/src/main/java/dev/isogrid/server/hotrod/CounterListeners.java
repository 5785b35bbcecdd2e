package dev.isogrid.server.hotrod;

import dev.isogrid.api.CounterEvent;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.codec.ByteString;
import dev.isogrid.structure.CounterTable;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of counters on this server. A client names its listener by an id. The connection
 * that first used the id carries the events of all counters that are added to it. Thread-safe.
 */
final class CounterListeners {
  /** The most ids of all clients; each has a connection. */
  static final int IDS_MAX = 10_000;

  /** The most counters of one id. */
  static final int NAMES_MAX = 10_000;

  /** The most bytes of an id; clients send 16. */
  static final int ID_SIZE_MAX = 255;

  private record Listener(CounterClient client, Set<String> names) {}

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Map<ByteString, Listener> listeners = new HashMap<>();

  /**
   * Held during the start of the subscription, which may take time; taken before the other lock.
   */
  private final ReentrantLock beginning = new ReentrantLock();

  /**
   * Guarded by {@link #beginning}; null until the first listener, then set to the end of the node.
   */
  private @Nullable Subscription subscription;

  /**
   * Adds a counter to a listener. May wait for other nodes if there are some.
   *
   * @return whether the listener is new; then the caller calls {@link CounterClient#answered}.
   *     Otherwise it keeps its connection
   * @throws InvalidRequestException if there are too many
   * @throws RetryableGridException if the connection has ended meanwhile
   */
  boolean add(CounterTable table, String name, byte[] id, CounterClient client) {
    begin(table);
    lock.lock();
    try {
      if (client.isClosed()) {
        throw new RetryableGridException("connection closed: a listener needs one");
      }
      Listener known = listeners.get(ByteString.of(id));
      checkRoom(id, known);
      if (known != null) {
        known.names.add(name);
        return false;
      }
      client.beginListener();
      listeners.put(ByteString.of(id), new Listener(client, new HashSet<>(Set.of(name))));
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void begin(CounterTable table) {
    beginning.lock();
    try {
      if (subscription == null) {
        subscription = table.listen(_ -> true, this::tell);
      }
    } finally {
      beginning.unlock();
    }
  }

  private void checkRoom(byte[] id, @Nullable Listener known) {
    boolean isFull = known == null ? listeners.size() >= IDS_MAX : known.names.size() >= NAMES_MAX;
    if (isFull || id.length > ID_SIZE_MAX) {
      throw new InvalidRequestException(
          ("too many listeners of counters, or too long an id: idSize=%d; limits are %d B, %d"
                  + " listeners and %d counters of a listener")
              .formatted(id.length, ID_SIZE_MAX, IDS_MAX, NAMES_MAX));
    }
  }

  /** Removes a counter from a listener; returns whether the listener has none any more. */
  boolean remove(String name, byte[] id) {
    lock.lock();
    try {
      Listener known = listeners.get(ByteString.of(id));
      if (known == null) {
        return true;
      }
      known.names.remove(name);
      if (!known.names.isEmpty()) {
        return false;
      }
      listeners.remove(ByteString.of(id));
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the listeners of a connection. */
  void removeAll(CounterClient client) {
    lock.lock();
    try {
      listeners.values().removeIf(listener -> listener.client.equals(client));
    } finally {
      lock.unlock();
    }
  }

  private void tell(CounterEvent event) {
    List<Runnable> sendings = new ArrayList<>();
    lock.lock();
    try {
      listeners.forEach((id, listener) -> {
        if (listener.names.contains(event.counter())) {
          sendings.add(() -> listener.client.send(encoded(event, id)));
        }
      });
    } finally {
      lock.unlock();
    }
    sendings.forEach(Runnable::run);
  }

  private static byte[] encoded(CounterEvent event, ByteString id) {
    ByteBuf out = Unpooled.buffer();
    out.writeByte(HotRod.RESPONSE_MAGIC);
    out.writeByte(0); // the message id of what nobody asked for
    out.writeByte(Opcodes.EVENT_COUNTER);
    out.writeByte(Statuses.OK);
    out.writeByte(0); // no topology
    WireWriter.string(out, event.counter());
    WireWriter.bytes(out, id.toByteArray());
    out.writeByte(bits(event.oldState()) | bits(event.newState()) << 2);
    out.writeLong(event.oldValue());
    out.writeLong(event.newValue());
    byte[] bytes = ByteBufUtil.getBytes(out);
    out.release();
    return bytes;
  }

  private static int bits(CounterEvent.State state) {
    return switch (state) {
      case VALID -> 0;
      case LOWER_BOUND_REACHED -> 1;
      case UPPER_BOUND_REACHED -> 2;
    };
  }
}

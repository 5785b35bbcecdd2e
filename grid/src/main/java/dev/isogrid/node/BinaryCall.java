package dev.isogrid.node;

import dev.isogrid.base.KeptCalls;
import dev.isogrid.codec.ReusedBytes;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EncodedValue;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.ValueReader;
import org.jspecify.annotations.Nullable;

/** A call on a cache of bytes, with the arrays that its bytes are in. Used again. */
final class BinaryCall<K, V> extends EdgeCall<K, V, BinaryKey, Bytes> {
  /** The first room for values that are read; it grows. */
  private static final int ROOM_BYTES = 256;

  private final BinaryEdge<K, V> edge;

  /** Where it is kept; for {@link KeptCalls}. */
  private final int place;

  private final ReusedBytes keyBytes = new ReusedBytes();
  private final BinaryKey key = new BinaryKey();
  private final ReusedBytes valueBytes = new ReusedBytes();
  private final Bytes value = new EncodedValue(valueBytes);
  private final ReusedBytes previousBytes = new ReusedBytes();
  private boolean hasPrevious;

  /** The value before, if it is too large for an array that is kept; or null. */
  private @Nullable V largePrevious;

  private final ValueReader<V> reader =
      new ValueReader<>(ROOM_BYTES) {
        @Override
        public V read(byte[] array, int offset, int length) {
          return edge.value(array, offset, length);
        }
      };

  BinaryCall(BinaryEdge<K, V> edge, int place) {
    this.edge = edge;
    this.place = place;
  }

  @Override
  BinaryKey key(K user) {
    edge.writeKey(user, keyBytes);
    return key.set(keyBytes.array(), 0, keyBytes.length());
  }

  @Override
  Bytes value(V user) {
    edge.writeValue(user, valueBytes);
    return value;
  }

  /** Makes the user's objects of values. */
  ValueReader<V> reader() {
    return reader;
  }

  /** Takes the bytes only, since the segment is locked. */
  @Override
  public void read(EntryView<BinaryKey, Bytes> entry) {
    Bytes bytes = entry.valueNow();
    hasPrevious = true;
    if (bytes.length() > ReusedBytes.KEPT_MAX) {
      largePrevious = edge.value(bytes);
    } else {
      bytes.copyTo(previousBytes.room(bytes.length()), 0);
      previousBytes.written(bytes.length());
    }
  }

  @Override
  @Nullable V previous() {
    if (!hasPrevious || largePrevious != null) {
      return largePrevious;
    }
    return edge.value(previousBytes.array(), 0, previousBytes.length());
  }

  @Override
  public void close() {
    if (keyBytes.end()) {
      key.clear();
    }
    valueBytes.end();
    previousBytes.end();
    hasPrevious = false;
    if (largePrevious != null) {
      largePrevious = null;
    }
    edge.giveBack(place);
  }
}

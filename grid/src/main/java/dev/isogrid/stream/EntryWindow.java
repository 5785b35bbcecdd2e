package dev.isogrid.stream;

import dev.isogrid.api.EntryBytes;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.BytesWindow;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PackedEntries;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An entry of bytes as users see it, through a window of its container. For one thread. */
final class EntryWindow implements EntryBytes {
  private final BytesWindow key = new BytesWindow();
  private final BytesWindow value = new BytesWindow();
  private @Nullable EntryView<?, ?> view;

  /** Moves this to the entry of a window of a container of bytes; valid as long as the window. */
  EntryBytes over(EntryView<?, ?> shown) {
    view = shown;
    return this;
  }

  /** A copy of the entry of a window of a container of bytes. */
  static EntryBytes copyOf(EntryView<?, ?> shown) {
    PackedEntries copy = new PackedEntries();
    copy.add(shown, true);
    return new EntryWindow().over(copy.first());
  }

  private EntryView<?, ?> view() {
    return Objects.requireNonNull(view);
  }

  private BinaryKey storedKey() {
    return (BinaryKey) view().key();
  }

  private Bytes storedValue() {
    return (Bytes) view().value();
  }

  @Override
  public ByteBuffer key() {
    return key.over(storedKey());
  }

  @Override
  public ByteBuffer value() {
    return value.over(storedValue());
  }

  @Override
  public int keySize() {
    return storedKey().length();
  }

  @Override
  public int valueSize() {
    return storedValue().length();
  }

  @Override
  public long keyAsLong() {
    key.point(storedKey());
    return ScalarMarshaller.toLong(key.array(), key.offset(), key.length());
  }

  @Override
  public long valueAsLong() {
    value.point(storedValue());
    return ScalarMarshaller.toLong(value.array(), value.offset(), value.length());
  }

  @Override
  public double valueAsDouble() {
    value.point(storedValue());
    return ScalarMarshaller.toDouble(value.array(), value.offset(), value.length());
  }

  @Override
  public long version() {
    return view().version();
  }

  @Override
  public long createdMillis() {
    return view().createdMillis();
  }

  @Override
  public long lifespanMillis() {
    return view().lifespanMillis();
  }

  @Override
  public long lastUsedMillis() {
    return view().lastUsedMillis();
  }

  @Override
  public long maxIdleMillis() {
    return view().maxIdleMillis();
  }
}

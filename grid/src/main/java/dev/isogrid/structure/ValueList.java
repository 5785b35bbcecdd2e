package dev.isogrid.structure;

import dev.isogrid.codec.ByteString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of a key of a multimap, in the order in which they were put. Immutable. */
public final class ValueList {
  /*
   *   mark 4, count 4, and each value: length 4, bytes
   *
   * Numbers have their high bytes first. The mark and consistent lengths distinguish lists from
   * other entries of the cache.
   */
  private static final int MARK = 0xB64D_4D01;

  private static final int HEAD_BYTES = 2 * Integer.BYTES;

  /** A key without values, which has no entry. */
  public static final ValueList EMPTY = new ValueList(List.of());

  private final List<ByteString> values;

  private ValueList(List<ByteString> values) {
    this.values = values;
  }

  /** The values. */
  public List<ByteString> values() {
    return values;
  }

  /** The number of values. */
  public int count() {
    return values.size();
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** The number of bytes of {@link #toBytes}. */
  long size() {
    long size = HEAD_BYTES;
    for (ByteString value : values) {
      size += Integer.BYTES + value.length();
    }
    return size;
  }

  /** Whether a value is among them. */
  public boolean contains(byte[] value) {
    return values.contains(ByteString.of(value));
  }

  /** The same with one more at the end. */
  ValueList plus(byte[] value) {
    List<ByteString> next = new ArrayList<>(values.size() + 1);
    next.addAll(values);
    next.add(ByteString.of(value));
    return new ValueList(next);
  }

  /** The same without a value and its duplicates; this object if it has none. */
  ValueList without(byte[] value) {
    ByteString unwanted = ByteString.of(value);
    if (!values.contains(unwanted)) {
      return this;
    }
    return new ValueList(values.stream().filter(other -> !other.equals(unwanted)).toList());
  }

  /** The same with each value once, at its first position. */
  ValueList distinct() {
    LinkedHashSet<ByteString> distinct = new LinkedHashSet<>(values);
    return distinct.size() == values.size() ? this : new ValueList(List.copyOf(distinct));
  }

  byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size()));
    out.putInt(MARK).putInt(values.size());
    for (ByteString value : values) {
      out.putInt(value.length()).put(value.toByteArray());
    }
    return out.array();
  }

  /** Parses the form of {@link #toBytes}; null if the bytes have another form. */
  static @Nullable ValueList tryRead(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.remaining() < HEAD_BYTES || in.getInt() != MARK) {
      return null;
    }
    int count = in.getInt();
    if (count < 1 || count > in.remaining() / Integer.BYTES) {
      return null;
    }
    List<ByteString> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int length = in.remaining() < Integer.BYTES ? -1 : in.getInt();
      if (length < 0 || length > in.remaining()) {
        return null;
      }
      byte[] value = new byte[length];
      in.get(value);
      values.add(ByteString.of(value));
    }
    return in.hasRemaining() ? null : new ValueList(values);
  }
}

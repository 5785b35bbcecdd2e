package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.server.net.ByteBufSink;
import dev.isogrid.server.net.CountedBuf;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Entries for an answer, in a buffer of their own, because some answers begin with their number.
 * Holds a buffer until {@link #take} or {@link #close}. For one request.
 */
final class EntryList implements AutoCloseable {
  /**
   * The most bytes of an answer with many entries: it is in memory as a whole before the first byte
   * leaves. Larger results need an iteration.
   */
  static final int SIZE_MAX = 128 << 20;

  /** What is enough for a few entries. */
  static final int INITIAL_SIZE = 1024;

  /** Smaller buffers are not counted: the number of requests under way bounds them. */
  private static final int COUNTED_SIZE_MIN = 16 << 10;

  private final Request request;
  private final CacheHandle cache;
  private final ByteBudget.Share budget;
  private final @Nullable String keyType;
  private final @Nullable String valueType;
  private final ByteBufAllocator allocator;
  private final ByteBufSink sink = new ByteBufSink();
  private @Nullable ByteBuf buffer;
  private int countedSize;
  private int count;

  EntryList(
      Request request, CacheHandle cache, ByteBufAllocator allocator, ByteBudget.Share budget) {
    this(request, cache, allocator, budget, INITIAL_SIZE);
  }

  /**
   * Begins without entries.
   *
   * @param budget what large buffers are counted on, until they are sent
   * @param sizeExpected the bytes to make room for; more come in larger steps, each a copy
   */
  EntryList(
      Request request,
      CacheHandle cache,
      ByteBufAllocator allocator,
      ByteBudget.Share budget,
      int sizeExpected) {
    this.request = request;
    this.budget = budget;
    this.cache = cache;
    this.keyType = request.keyMediaType();
    this.valueType = request.valueMediaType();
    this.allocator = allocator;
    ByteBuf first = allocator.ioBuffer(sizeExpected);
    this.buffer = first;
    try {
      count(sizeExpected);
    } catch (InvalidRequestException refusal) {
      first.release();
      throw refusal;
    }
  }

  /** Counts a buffer of a size on the budget, or refuses it. */
  private void count(int capacity) {
    if (capacity < COUNTED_SIZE_MIN) {
      return;
    }
    if (!budget.tryTake(capacity)) {
      throw new InvalidRequestException(
          "answer too large for now: size=%d, %s; ask for fewer keys, or iterate with small batches"
              .formatted(capacity, budget));
    }
    countedSize += capacity;
  }

  /** The number of entries. */
  int count() {
    return count;
  }

  /** Counts an entry. */
  void counted() {
    count++;
  }

  /** The number of bytes. */
  int size() {
    return out().readableBytes();
  }

  /** Takes back what came after a size. */
  void truncate(int size) {
    out().writerIndex(size);
  }

  private ByteBuf out() {
    return Objects.requireNonNull(buffer);
  }

  /** A byte. */
  void u8(int value) {
    makeRoom(1);
    out().writeByte(value);
  }

  /** The metadata of an entry. */
  void metadata(EntryView<?, ?> entry) {
    makeRoom(Reply.METADATA_SIZE_MAX);
    Reply.metadata(out(), entry);
  }

  /** A key of the cache, in the media type of the request's keys. */
  void key(BinaryKey key) {
    Conversion conversion = cache.keys.toRequested(keyType);
    if (conversion != null) {
      bytes(Bytes.of(conversion.convert(key.toByteArray())));
      return;
    }
    makeRoom(key.length());
    WireWriter.vInt(out(), key.length());
    key.writeTo(sink.to(out()));
  }

  /** A key as the request sent it. */
  void key(Request.Range key) {
    makeRoom(key.length);
    WireWriter.vInt(out(), key.length);
    out().writeBytes(request.in, key.index, key.length);
  }

  /** A value of the cache, in the media type of the request's values. */
  void value(Bytes value) {
    Conversion conversion = cache.values.toRequested(valueType);
    bytes(conversion == null ? value : Bytes.of(conversion.convert(value.toByteArray())));
  }

  /** Bytes as they are. */
  void bytes(Bytes bytes) {
    makeRoom(bytes.length());
    WireWriter.vInt(out(), bytes.length());
    bytes.writeTo(sink.to(out()));
  }

  /** Doubles the buffer if need be: its own steps are of constant size once it is large. */
  private void makeRoom(int length) {
    ByteBuf out = out();
    long needed = (long) out.writerIndex() + WireWriter.VINT_SIZE_MAX + length;
    if (needed > SIZE_MAX) {
      throw new InvalidRequestException(
          "answer too large: size=%d or more, limit=%d; ask for fewer keys or iterate"
              .formatted(needed, SIZE_MAX));
    }
    if (needed > out.capacity()) {
      grow((int) Math.min(SIZE_MAX, Math.max(needed, 2L * out.capacity())));
    }
  }

  private void grow(int capacity) {
    int before = countedSize;
    count(capacity); // beside the former one, since both are there while one is copied
    out().capacity(capacity);
    budget.give(before);
    countedSize -= before;
  }

  /** The bytes of all entries. The caller's from now on; counted until they are released. */
  ByteBuf take() {
    ByteBuf taken = out();
    int counted = countedSize;
    buffer = null;
    countedSize = 0;
    return counted == 0 ? taken : CountedBuf.of(allocator, taken, () -> budget.give(counted));
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.release();
      buffer = null;
      budget.give(countedSize);
      countedSize = 0;
    }
  }
}

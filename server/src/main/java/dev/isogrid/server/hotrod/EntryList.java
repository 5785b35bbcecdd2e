package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.server.net.ByteBufSink;
import dev.isogrid.server.net.CountedBuf;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.HotRod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Entries for an answer, in buffers of their own, because some answers begin with their number.
 * Holds them until {@link #take} or {@link #close}. For one request.
 */
final class EntryList implements AutoCloseable {
  /**
   * The most bytes of an answer with many entries: the whole answer is in memory before the first
   * byte leaves. Larger results need an iteration.
   */
  static final int SIZE_MAX = 128 << 20;

  /** Enough for a few entries. */
  static final int INITIAL_SIZE = 1024;

  /**
   * The bytes of a part of a large answer: enough for few parts, and so few that enlarging one by a
   * copy takes no time.
   */
  private static final int PART_SIZE = 1 << 20;

  /** Smaller buffers are not counted: the limit of requests in flight bounds them. */
  private static final int COUNTED_SIZE_MIN = 16 << 10;

  private final Request request;
  private final CacheHandle cache;
  private final ByteBudget.Share budget;
  private final @Nullable String keyType;
  private final @Nullable String valueType;
  private final ByteBufAllocator allocator;
  private final ByteBufSink sink = new ByteBufSink();

  /** The full parts before {@link #buffer}, the oldest first. */
  private final List<ByteBuf> full = new ArrayList<>(0);

  private int fullSize;
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
   * @param budget the budget of large buffers, until they are sent
   * @param sizeExpected the initial capacity in bytes; growth happens in larger steps, each a copy
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

  /** Counts a buffer off the budget. */
  private void uncount(int capacity) {
    if (capacity >= COUNTED_SIZE_MIN) {
      budget.give(capacity);
      countedSize -= capacity;
    }
  }

  /** Counts a buffer of a size on the budget, or refuses it. */
  private void count(int capacity) {
    if (capacity < COUNTED_SIZE_MIN) {
      return;
    }
    if (!budget.tryTake(capacity)) {
      throw new InvalidRequestException(
          "%s for now: size=%d, %s; ask for fewer keys, or iterate with small batches"
              .formatted(HotRod.ANSWER_TOO_LARGE, capacity, budget));
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
    return fullSize + out().readableBytes();
  }

  /** Drops the bytes after a size. */
  void truncate(int size) {
    while (size < fullSize) {
      ByteBuf last = out();
      uncount(last.capacity());
      last.release();
      buffer = full.removeLast();
      fullSize -= out().readableBytes();
    }
    out().writerIndex(size - fullSize);
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

  /** Appends bytes unchanged. */
  void bytes(Bytes bytes) {
    makeRoom(bytes.length());
    WireWriter.vInt(out(), bytes.length());
    bytes.writeTo(sink.to(out()));
  }

  /**
   * Makes room for one field: in a larger buffer if the present one is small, else in a new one.
   */
  private void makeRoom(int length) {
    ByteBuf out = out();
    int more = WireWriter.VINT_SIZE_MAX + length;
    long needed = (long) size() + more;
    if (needed > SIZE_MAX) {
      throw new InvalidRequestException(
          "%s: size=%d or more, limit=%d; ask for fewer keys or iterate"
              .formatted(HotRod.ANSWER_TOO_LARGE, needed, SIZE_MAX));
    }
    if (out.writerIndex() + more <= out.capacity()) {
      return;
    }
    if (out.writerIndex() + more <= PART_SIZE) {
      int before = out.capacity();
      int capacity = Math.min(PART_SIZE, Math.max(out.writerIndex() + more, 2 * before));
      count(capacity); // beside the former one, since both are there while one is copied
      out.capacity(capacity);
      uncount(before);
    } else {
      int capacity = Math.max(PART_SIZE, more);
      count(capacity);
      full.add(out);
      fullSize += out.readableBytes();
      buffer = allocator.ioBuffer(capacity);
    }
  }

  /**
   * The bytes of all entries, which the caller owns from now on; counted until they are released.
   */
  ByteBuf take() {
    int counted = countedSize;
    ByteBuf last = out();
    buffer = null;
    countedSize = 0;
    if (counted == 0) {
      return last;
    }
    List<ByteBuf> parts = new ArrayList<>(full);
    parts.add(last);
    full.clear();
    return CountedBuf.of(allocator, parts, () -> budget.give(counted));
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.release();
      buffer = null;
      full.forEach(ByteBuf::release);
      full.clear();
      budget.give(countedSize);
      countedSize = 0;
    }
  }
}

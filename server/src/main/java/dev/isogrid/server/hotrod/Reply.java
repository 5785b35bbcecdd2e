package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.server.net.ByteBufSink;
import dev.isogrid.server.net.ReplyOutput;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.PinnedBytes;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.TimesExtension;
import dev.isogrid.wire.Versions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The reply to one request: {@link #begin}, then the body, then {@link #end} or {@link #cancel}.
 * Reusable; not thread-safe.
 *
 * <p>A reply is appended to the buffer that all replies of a batch share. A reply with a large
 * value gets a buffer of its own with room for all of it, so that the value is copied once.
 */
final class Reply {
  /** Copying less than this is cheaper than another buffer. */
  private static final int LARGE_SIZE = 1 << 16;

  /** A value of this size is not copied if possible. */
  private static final int SENT_IN_PLACE_MIN = 1 << 20;

  /** Magic, message id, operation, status, topology marker. */
  private static final int HEADER_SIZE_MAX = 1 + 9 + 1 + 1 + 1;

  /** Flags, two points in time with a duration each, version. */
  static final int METADATA_SIZE_MAX = 1 + 2 * (8 + 5) + 8;

  private static final Logger log = System.getLogger(Reply.class.getName());

  private final ReplyOutput gate;
  private final ByteBufAllocator allocator;
  private final ByteBufSink sink = new ByteBufSink();
  private ByteBuf out = Unpooled.EMPTY_BUFFER;

  /** Whether a reply is begun and not ended. */
  private boolean begun;

  /** The buffer of a large reply, the same as {@link #out}; null if the reply is not large. */
  private @Nullable ByteBuf large;

  /** Whether the client is notified of caches of objects. */
  private boolean hintsAtObjects;

  /** The end of the body, if it is sent without a copy; or null. */
  private @Nullable ByteBuf rest;

  private int start;
  private int statusIndex;
  private int bodyIndex;

  Reply(ReplyOutput gate, ByteBufAllocator allocator) {
    this.gate = gate;
    this.allocator = allocator;
  }

  /**
   * Begins with the header of a success.
   *
   * @param cache the cache whose topology the reply may contain, or null
   */
  void begin(Request request, @Nullable CacheHandle cache) {
    hintsAtObjects =
        cache != null
            && cache.keepsObjects
            && request.version >= Versions.V24
            && request.version < Versions.V29;
    header(request.messageId, Opcodes.responseTo(request.operation), hinting(Statuses.OK));
    TopologySection topology = cache == null ? null : cache.topology();
    if (topology != null && topology.isDue(request)) {
      out.writeByte(1);
      topology.writeTo(out, request.intelligence);
    } else {
      out.writeByte(0);
    }
    bodyIndex = out.writerIndex();
  }

  /** Writes the whole reply to a failed request. */
  void error(long messageId, int status, String message) {
    header(messageId, Opcodes.ERROR, status);
    out.writeByte(0);
    WireWriter.string(out, message);
  }

  private void header(long messageId, int operation, int status) {
    begun = true;
    out = gate.buffer();
    start = out.writerIndex();
    out.ensureWritable(HEADER_SIZE_MAX);
    out.writeByte(HotRod.RESPONSE_MAGIC);
    WireWriter.vLong(out, messageId);
    out.writeByte(operation);
    statusIndex = out.writerIndex();
    out.writeByte(status);
  }

  /** Changes the status. */
  void status(int status) {
    out.setByte(statusIndex, hinting(status));
  }

  /**
   * The status without a hint: clients that receive hints are older than the users of this method.
   */
  int status() {
    return out.getUnsignedByte(statusIndex);
  }

  /** The bytes of the body; -1 if a part of it is elsewhere. */
  int bodySize() {
    return rest == null ? out.writerIndex() - bodyIndex : -1;
  }

  /** The bytes of the body, in a new array. */
  byte[] bodyCopy() {
    byte[] body = new byte[bodySize()];
    out.getBytes(bodyIndex, body);
    return body;
  }

  /**
   * The status of a success, with the hint that the server keeps objects if the client needs it.
   */
  private int hinting(int status) {
    if (!hintsAtObjects) {
      return status;
    }
    return switch (status) {
      case Statuses.OK -> Statuses.OK_OBJECTS;
      case Statuses.OK_WITH_PREVIOUS -> Statuses.OK_WITH_PREVIOUS_OBJECTS;
      case Statuses.NOT_EXECUTED_WITH_PREVIOUS -> Statuses.NOT_EXECUTED_WITH_PREVIOUS_OBJECTS;
      default -> status;
    };
  }

  /** Drops the body. */
  void rewind() {
    dropRest();
    out.writerIndex(bodyIndex);
  }

  private void dropRest() {
    if (rest != null) {
      rest.release();
      rest = null;
    }
  }

  /** Completes the reply. */
  void end() {
    ByteBuf own = large;
    ByteBuf inPlace = rest;
    large = null;
    rest = null;
    begun = false;
    out = Unpooled.EMPTY_BUFFER;
    if (own != null) {
      gate.write(own);
    }
    if (inPlace != null) {
      gate.write(inPlace);
    }
  }

  /** Drops the reply, if one is begun. */
  void cancel() {
    dropRest();
    if (large != null) {
      large.release();
      large = null;
    } else if (begun) {
      out.writerIndex(start);
    }
    begun = false;
    out = Unpooled.EMPTY_BUFFER;
  }

  /** The buffer for the body; valid until the next call of a method of this class. */
  ByteBuf body() {
    return out;
  }

  /** A value or key as bytes, at the end of the body. */
  void bytes(Bytes bytes) {
    int length = bytes.length();
    if (length >= SENT_IN_PLACE_MIN && bytes.isPinnable()) {
      try (PinnedBytes pinned = bytes.pin()) {
        part(pinned, 0, length);
      }
      return;
    }
    makeRoom(length);
    WireWriter.vInt(out, length);
    bytes.writeTo(sink.to(out));
  }

  /** A part of an array as bytes, at the end of the body. */
  void bytes(byte[] array, int offset, int length) {
    makeRoom(length);
    WireWriter.vInt(out, length);
    out.writeBytes(array, offset, length);
  }

  /** A part of memory as bytes, at the end of the body. */
  void bytes(MemorySegment memory, long offset, int length) {
    makeRoom(length);
    WireWriter.vInt(out, length);
    sink.to(out).write(memory, offset, length);
  }

  /** A value as bytes, converted if the client requests another media type than the cache keeps. */
  void value(Bytes value, CacheHandle cache, @Nullable String requested) {
    Conversion conversion = cache.values.toRequested(requested);
    bytes(conversion == null ? value : Bytes.of(conversion.convert(value.toByteArray())));
  }

  private void makeRoom(int length) {
    if (large == null && length >= LARGE_SIZE) {
      int soFar = out.writerIndex() - start;
      ByteBuf own = largeBuffer((long) soFar + WireWriter.VINT_SIZE_MAX + length);
      own.writeBytes(out, start, soFar);
      out.writerIndex(start);
      statusIndex -= start;
      bodyIndex -= start;
      start = 0;
      large = own;
      out = own;
    } else {
      out.ensureWritable(WireWriter.VINT_SIZE_MAX + length);
    }
  }

  private ByteBuf largeBuffer(long size) {
    if (size <= Integer.MAX_VALUE) {
      try {
        return allocator.ioBuffer((int) size);
      } catch (OutOfMemoryError full) { // one large buffer: all else may well have room
        log.log(Level.DEBUG, "no buffer for a large reply", full);
      }
    }
    throw new InvalidRequestException(
        "reply too large for the memory of the server: size=%d; read the value in chunks"
            .formatted(size));
  }

  /**
   * A part of a pinned value as bytes, at the end of the body. Copied, unless it is large and off
   * the heap: then it is sent from there, and stays pinned until it is sent.
   */
  void part(PinnedBytes value, int from, int length) {
    if (length >= SENT_IN_PLACE_MIN && value.isOffHeap()) {
      WireWriter.vInt(out, length);
      rest = PinnedBuf.of(allocator, value.pinAgain(), from, length);
    } else {
      makeRoom(length);
      WireWriter.vInt(out, length);
      value.writeTo(from, length, sink.to(out));
    }
  }

  /** Appends a prepared part of the body in a buffer. Ends the reply. Takes the buffer. */
  void endWith(ByteBuf rest) {
    if (rest.readableBytes() < LARGE_SIZE) {
      out.writeBytes(rest);
      rest.release();
      end();
    } else {
      end();
      gate.write(rest);
    }
  }

  /** An entry's times, in whole seconds, and version. */
  static void metadata(ByteBuf out, EntryView<?, ?> entry) {
    metadata(out, entry, false);
  }

  /**
   * An entry's times and version.
   *
   * @param isExact whether times are in milliseconds, by {@link TimesExtension}
   */
  static void metadata(ByteBuf out, EntryView<?, ?> entry, boolean isExact) {
    long lifespanMillis = entry.lifespanMillis();
    long maxIdleMillis = entry.maxIdleMillis();
    out.writeByte(
        (lifespanMillis < 0 ? HotRod.METADATA_NO_LIFESPAN : 0)
            | (maxIdleMillis < 0 ? HotRod.METADATA_NO_MAX_IDLE : 0)
            | (isExact ? HotRod.METADATA_MILLIS : 0));
    if (lifespanMillis >= 0) {
      out.writeLong(entry.createdMillis());
      time(out, lifespanMillis, isExact);
    }
    if (maxIdleMillis >= 0) {
      out.writeLong(entry.lastUsedMillis());
      time(out, maxIdleMillis, isExact);
    }
    out.writeLong(entry.version());
  }

  private static void time(ByteBuf out, long millis, boolean isExact) {
    if (isExact) {
      WireWriter.vLong(out, millis);
    } else {
      WireWriter.vInt(out, wholeSeconds(millis));
    }
  }

  private static int wholeSeconds(long millis) {
    return (int) Math.min(Integer.MAX_VALUE, TimeUnit.MILLISECONDS.toSeconds(millis));
  }

  /** The metadata of a missing entry. */
  static void noMetadata(ByteBuf out) {
    out.writeByte(HotRod.METADATA_NO_LIFESPAN | HotRod.METADATA_NO_MAX_IDLE);
    out.writeLong(HotRod.VERSION_NONE);
  }
}

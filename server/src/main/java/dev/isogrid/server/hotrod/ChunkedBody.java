package dev.isogrid.server.hotrod;

import dev.isogrid.api.GridException;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of an old put request, which are part of it, of any total length. Each is a length and
 * as many bytes; the last one has length 0. They go to their stream as they arrive, in any pieces.
 * For one connection.
 */
final class ChunkedBody {
  /** A length is a vInt of at most 31 bits. */
  private static final int LENGTH_SHIFT_MAX = 28;

  private static final int LENGTH_LAST_MAX = 0x07;

  private final ByteBuf head;
  private final Request.Range part = new Request.Range();

  /** Null if there is no such cache, or the stream failed; then the chunks are skipped. */
  private @Nullable PutStream stream;

  private @Nullable RuntimeException failure;

  /** The remaining bytes of the chunk. */
  private int left;

  /** The received part of a length. */
  private int length;

  private int lengthShift;
  private boolean complete;
  private long beginNanos;

  /**
   * Begins before the first chunk.
   *
   * @param head the request without chunks; on the heap
   */
  ChunkedBody(ByteBuf head) {
    this.head = head;
  }

  /** Sets the stream of the chunks; taken. */
  void to(PutStream target) {
    stream = target;
    target.begin(beginNanos);
  }

  /** Begins to watch the progress. */
  void begin(long nowNanos) {
    beginNanos = nowNanos;
  }

  /** Notes that chunks have arrived. */
  void noteProgress(long nowNanos) {
    if (stream != null) {
      stream.noteProgress(nowNanos);
    }
  }

  /** The time without progress; 0 if no chunks are kept. */
  long idleNanos(long nowNanos) {
    return stream == null ? 0 : stream.idleNanos(nowNanos);
  }

  /** Sets the failure, which becomes the answer; further chunks are skipped. */
  void fail(RuntimeException reason) {
    failure = reason;
    close();
  }

  /** The request without chunks, from its first byte on; a new buffer per call. */
  ByteBuf head() {
    return head.duplicate();
  }

  /**
   * Consumes chunks from the received bytes.
   *
   * @return whether all chunks have arrived
   */
  boolean read(ByteBuf in) {
    while (!complete && in.isReadable()) {
      if (left == 0) {
        readLength(in);
      } else {
        int part = Math.min(left, in.readableBytes());
        append(in, in.readerIndex(), part);
        in.skipBytes(part);
        left -= part;
      }
    }
    return complete;
  }

  private void readLength(ByteBuf in) {
    int next = in.readUnsignedByte();
    if (lengthShift == LENGTH_SHIFT_MAX && next > LENGTH_LAST_MAX) {
      throw new MalformedRequest(Statuses.PARSE_ERROR, "chunk of more than 31 bits of length");
    }
    length |= (next & 0x7F) << lengthShift;
    if (next >= 0x80) {
      lengthShift += 7;
      return;
    }
    left = length;
    complete = length == 0;
    length = 0;
    lengthShift = 0;
  }

  private void append(ByteBuf in, int index, int size) {
    if (stream != null) {
      part.set(index, size);
      try {
        stream.append(in, part);
      } catch (GridException refused) {
        fail(refused);
      }
    }
  }

  /**
   * The stream with all chunks; null if there is no such cache. This object owns it until {@link
   * #handOver}.
   *
   * @throws RuntimeException the failure of the request
   */
  @Nullable PutStream stream() {
    if (failure != null) {
      throw failure;
    }
    return stream;
  }

  /** Gives up the ownership of the stream. */
  void handOver() {
    stream = null;
  }

  /** Releases the stream and the head; returns whether there was anything to release. */
  boolean close() {
    PutStream given = stream;
    stream = null;
    if (given != null) {
      given.close();
    }
    return given != null;
  }
}

package dev.isogrid.server.hotrod;

import dev.isogrid.api.GridException;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of an old put request, which are part of it, however long it gets: each a length and
 * as many bytes, the last one of length 0. They go to their stream as they arrive, in any pieces.
 * For one connection.
 */
final class ChunkedBody {
  /** A length is a vInt of at most 31 bits. */
  private static final int LENGTH_SHIFT_MAX = 28;

  private static final int LENGTH_LAST_MAX = 0x07;

  private final ByteBuf head;
  private final Request.Range part = new Request.Range();

  /** Null if there is no such cache, or it failed: the chunks are passed over then. */
  private @Nullable PutStream stream;

  private @Nullable RuntimeException failure;

  /** What is left of the chunk. */
  private int left;

  /** What has arrived of a length. */
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

  /** Where the chunks go; taken. */
  void to(PutStream target) {
    stream = target;
    target.begin(beginNanos);
  }

  /** Begins to look at the progress. */
  void begin(long nowNanos) {
    beginNanos = nowNanos;
  }

  /** Notes that chunks have arrived. */
  void noteProgress(long nowNanos) {
    if (stream != null) {
      stream.noteProgress(nowNanos);
    }
  }

  /** How long there has been no progress; 0 if nothing is kept of the chunks. */
  long idleNanos(long nowNanos) {
    return stream == null ? 0 : stream.idleNanos(nowNanos);
  }

  /** Why the chunks go nowhere: the answer to the request. */
  void fail(RuntimeException reason) {
    failure = reason;
    close();
  }

  /** The request without chunks, from its first byte on; each time anew. */
  ByteBuf head() {
    return head.duplicate();
  }

  /**
   * Takes chunks from what has arrived.
   *
   * @return whether all have
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
   * The stream with all chunks; null if there is no such cache. Stays this one's until {@link
   * #handOver}.
   *
   * @throws RuntimeException what the request failed with
   */
  @Nullable PutStream stream() {
    if (failure != null) {
      throw failure;
    }
    return stream;
  }

  /** Forgets the stream, which somebody else has now. */
  void handOver() {
    stream = null;
  }

  /** Frees what is held; tells whether there was anything. */
  boolean close() {
    PutStream given = stream;
    stream = null;
    if (given != null) {
      given.close();
    }
    return given != null;
  }
}

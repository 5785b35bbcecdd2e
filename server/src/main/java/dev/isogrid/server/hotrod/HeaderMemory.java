package dev.isogrid.server.hotrod;

import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The last header of a connection's requests, from the name of the cache on: requests seldom differ
 * there, so most headers are compared and not read. For one decoder.
 */
final class HeaderMemory {
  /** Longer headers are read each time. */
  private static final int SIZE_MAX = 128;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Request request;
  private final byte[] bytes = new byte[SIZE_MAX];

  /** The bytes of the header; 0 for none. */
  private int size;

  /** The version of its protocol. */
  private int version;

  private final Request.Range cacheName = new Request.Range();
  private int flags;
  private int intelligence;
  private int topologyId;
  private final Request.MediaTypeField keyType = new Request.MediaTypeField();
  private final Request.MediaTypeField valueType = new Request.MediaTypeField();

  /**
   * Begins without a header.
   *
   * @param request what headers are read to
   */
  HeaderMemory(Request request) {
    this.request = request;
  }

  /** The bytes of the header that is remembered; 0 for none. */
  int size() {
    return size;
  }

  /** Whether the header is the same as that of a request at an index of a buffer. */
  boolean isAt(ByteBuf in, int index) {
    if (request.version != version || size == 0 || in.writerIndex() - index < size) {
      return false;
    }
    int at = 0;
    for (; at <= size - Long.BYTES; at += Long.BYTES) {
      if (in.getLongLE(index + at) != (long) LONG.get(bytes, at)) {
        return false;
      }
    }
    for (; at < size; at++) {
      if (in.getByte(index + at) != bytes[at]) {
        return false;
      }
    }
    return true;
  }

  /** Gives a request at an index the fields of the header. */
  void recall(int index) {
    request.cacheName.set(index + cacheName.index, cacheName.length);
    request.flags = flags;
    request.intelligence = intelligence;
    request.topologyId = topologyId;
    request.keyType.become(keyType);
    request.valueType.become(valueType);
    request.session.clear();
  }

  /**
   * Remembers the header that was just read, if it may come again.
   *
   * @param index where its part after the operation begins in the request's buffer
   * @param end where it ends
   */
  void note(int index, int end) {
    boolean isPlain =
        request.session.number == 0
            && request.traceParent.length == 0
            && request.traceState.length == 0
            && request.keyType.isShort()
            && request.valueType.isShort();
    size = isPlain && end - index <= SIZE_MAX ? end - index : 0;
    request.in.getBytes(index, bytes, 0, size);
    version = request.version;
    cacheName.set(request.cacheName.index - index, request.cacheName.length);
    flags = request.flags;
    intelligence = request.intelligence;
    topologyId = request.topologyId;
    keyType.become(request.keyType);
    valueType.become(request.valueType);
  }
}

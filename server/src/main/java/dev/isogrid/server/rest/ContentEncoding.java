package dev.isogrid.server.rest;

import dev.isogrid.server.net.InputBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/** Undoes the compression of a request's {@code Content-Encoding}. */
final class ContentEncoding {
  private ContentEncoding() {}

  /** Few enough bytes to inflate them on an event loop: the result is below a MiB. */
  static final int SMALL_SIZE = 512;

  /** Bytes that are inflated at once. */
  private static final int BLOCK_SIZE = 1 << 16;

  /**
   * A decoded body. Closing it releases its memory.
   *
   * @param bytes of the body, on the heap
   * @param budget the budget of their memory
   */
  record Decoded(ByteBuf bytes, InputBudget budget) implements AutoCloseable {
    @Override
    public void close() {
      budget.give(bytes.capacity());
    }
  }

  /**
   * A body as it was before it was compressed.
   *
   * @param encoding the field's value
   * @param body borrowed; consumed
   * @param sizeMax the most bytes of the result, so that little input can't become much memory
   * @param budget where the memory of the result is taken from
   * @throws RestProblem if the encoding is unknown, the bytes are not of it, or too many
   */
  static Decoded decoded(String encoding, ByteBuf body, int sizeMax, InputBudget budget) {
    List<byte[]> blocks = new ArrayList<>();
    int size = 0;
    boolean isDone = false;
    try (InputStream in = decoder(encoding, new ByteBufInputStream(body))) {
      for (byte[] block = read(in); block.length > 0; block = read(in)) {
        if (block.length > sizeMax - size) {
          throw new RestProblem(
              HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "body too large: limit=" + sizeMax);
        }
        if (!budget.tryTake(block.length)) {
          throw RestProblem.noMemory();
        }
        size += block.length;
        blocks.add(block);
      }
      isDone = true;
      return new Decoded(Unpooled.wrappedBuffer(blocks.toArray(byte[][]::new)), budget);
    } catch (IOException failure) {
      throw RestProblem.badRequest(
          "malformed body: Content-Encoding=%s; use this encoding".formatted(encoding));
    } finally {
      if (!isDone) {
        budget.give(size);
      }
    }
  }

  private static byte[] read(InputStream in) throws IOException {
    return in.readNBytes(BLOCK_SIZE);
  }

  private static InputStream decoder(String encoding, InputStream in) throws IOException {
    return switch (encoding.strip().toLowerCase(Locale.ROOT)) {
      case "gzip", "x-gzip" -> new GZIPInputStream(in);
      case "deflate" -> new InflaterInputStream(in);
      case "identity" -> in;
      default ->
          throw new RestProblem(
              HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
              "unknown encoding: Content-Encoding=%s; use gzip, deflate or none"
                  .formatted(encoding));
    };
  }
}

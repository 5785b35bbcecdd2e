package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/** Undoes the compression that a request's {@code Content-Encoding} tells of. */
final class ContentEncoding {
  private ContentEncoding() {}

  /**
   * A body as it was before it was compressed.
   *
   * @param encoding the field's value
   * @param body borrowed; consumed
   * @param sizeMax the most bytes of the result, so that little input can't become much memory
   * @return a new array on the heap
   * @throws RestProblem if the encoding is unknown, the bytes are not of it, or too many
   */
  static ByteBuf decoded(String encoding, ByteBuf body, int sizeMax) {
    try (InputStream in = decoder(encoding, new ByteBufInputStream(body))) {
      byte[] bytes = in.readNBytes(sizeMax);
      if (in.read() >= 0) {
        throw new RestProblem(
            HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "body too large: limit=" + sizeMax);
      }
      return Unpooled.wrappedBuffer(bytes);
    } catch (IOException failure) {
      throw RestProblem.badRequest(
          "malformed body: Content-Encoding=%s; send what the field says".formatted(encoding));
    }
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

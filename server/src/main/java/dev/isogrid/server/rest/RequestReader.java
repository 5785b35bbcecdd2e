package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;

/** Parses HTTP requests, and knows whether one is incomplete. For one connection. */
final class RequestReader extends HttpRequestDecoder {
  /** The longest request line: room for a long key, too little to be worth an attack. */
  static final int REQUEST_LINE_SIZE_MAX = 4096;

  /** All header fields of a request together: enough for browsers with many cookies. */
  static final int HEADERS_SIZE_MAX = 8192;

  /**
   * The most header fields of a request: clients send some twenty. A field takes a hundred bytes of
   * memory, however short it is.
   */
  static final int HEADER_FIELDS_MAX = 100;

  /** The largest part of a body that the decoder hands over at once: the size of a large read. */
  private static final int BODY_PART_SIZE_MAX = 1 << 16;

  /** The most memory of an incomplete head: its text and the objects of its fields. */
  private static final int HEAD_MEMORY_MAX = 24 << 10;

  /** Bytes of memory for each byte of an incomplete head: a field can be of four bytes. */
  private static final int HEAD_MEMORY_FACTOR = 16;

  /** Whether a request is incomplete. */
  private boolean begun;

  /** Whether its head is incomplete. */
  private boolean inHead;

  private long bytesRead;

  /** {@link #bytesRead} at the beginning of the request. */
  private long bytesBefore;

  RequestReader() {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(REQUEST_LINE_SIZE_MAX)
            .setMaxHeaderSize(HEADERS_SIZE_MAX)
            .setMaxChunkSize(BODY_PART_SIZE_MAX)
            .setHeadersFactory(new FewHeaders())
            .setTrailersFactory(new FewHeaders()));
  }

  /** Makes containers for a limited number of header fields. */
  private static final class FewHeaders implements HttpHeadersFactory {
    @Override
    public HttpHeaders newHeaders() {
      return new DefaultHttpHeaders() {
        private int count;

        @Override
        public HttpHeaders add(CharSequence name, Object value) {
          count++;
          if (count > HEADER_FIELDS_MAX) {
            throw new TooLongHttpHeaderException("more than " + HEADER_FIELDS_MAX + " fields");
          }
          return super.add(name, value);
        }
      };
    }

    @Override
    public HttpHeaders newEmptyHeaders() {
      return DefaultHttpHeadersFactory.headersFactory().newEmptyHeaders();
    }
  }

  /** Says why a request could not be parsed, and what to do about it. */
  static String problem(Throwable failure) {
    return switch (failure) {
      case TooLongHttpLineException _ ->
          "request line too long: limit=%d; shorten the path, or write an entry with a long key by"
                  .formatted(REQUEST_LINE_SIZE_MAX)
              + " POST /rest/v2/caches/NAME?action=put";
      case TooLongHttpHeaderException _ ->
          "header fields too long: limit=%d, fields=%d; send fewer or shorter ones"
              .formatted(HEADERS_SIZE_MAX, HEADER_FIELDS_MAX);
      default -> "malformed request";
    };
  }

  /** Whether a request is incomplete. */
  boolean hasBegun() {
    return begun;
  }

  /** The number of received bytes. */
  long bytesRead() {
    return bytesRead;
  }

  /** The most memory of an incomplete head, in bytes; 0 if there is none. */
  long headMemory() {
    return begun && inHead
        ? Math.min(HEAD_MEMORY_MAX, HEAD_MEMORY_FACTOR * (bytesRead - bytesBefore))
        : 0;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof ByteBuf bytes) {
      bytesRead += bytes.readableBytes();
    }
    super.channelRead(context, message);
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    if (!begun && hasText(in)) {
      begun = true;
      inHead = true;
      bytesBefore = bytesRead - in.readableBytes();
    }
    int before = out.size();
    super.decode(context, in, out);
    for (int i = before; i < out.size(); i++) {
      Object next = out.get(i);
      if (next instanceof HttpRequest) {
        inHead = false;
      }
      if (next instanceof LastHttpContent) {
        begun = false;
      }
    }
  }

  /** Whether the input has more than blanks and line ends, which do not begin a request. */
  private static boolean hasText(ByteBuf in) {
    for (int i = in.readerIndex(); i < in.writerIndex(); i++) {
      if (in.getByte(i) > ' ' || in.getByte(i) < 0) {
        return true;
      }
    }
    return false;
  }
}

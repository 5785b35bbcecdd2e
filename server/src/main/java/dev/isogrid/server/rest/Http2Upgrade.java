package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The way from HTTP/1.1 to HTTP/2 in clear text, by {@code Upgrade: h2c} (RFC 7540, section 3.2).
 * Accepted for requests without a body only; others are answered in HTTP/1.1, as the standard
 * permits.
 */
final class Http2Upgrade {
  private static final String PROTOCOL = "h2c";
  private static final String SETTINGS = "http2-settings";

  /** A number of two bytes and one of four. */
  private static final int SETTING_SIZE = 6;

  private static final byte[] SWITCHING =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private Http2Upgrade() {}

  /** Whether a request for another protocol must be answered in HTTP/2. */
  static boolean isWanted(HttpRequest head, Channel channel) {
    HttpHeaders headers = head.headers();
    return head.protocolVersion().equals(HttpVersion.HTTP_1_1)
        && channel.pipeline().get(SslHandler.class) == null
        && headers.containsValue(HttpHeaderNames.UPGRADE, PROTOCOL, true)
        && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderNames.UPGRADE, true)
        && headers.containsValue(HttpHeaderNames.CONNECTION, SETTINGS, true)
        && !HttpUtil.isTransferEncodingChunked(head)
        && HttpUtil.getContentLength(head, 0L) == 0
        && settings(headers) != null;
  }

  /** The client's settings, or null if they are malformed. */
  private static @Nullable Http2Settings settings(HttpHeaders headers) {
    List<String> fields = headers.getAll(SETTINGS);
    if (fields.size() != 1) {
      return null;
    }
    try {
      ByteBuf bytes = Unpooled.wrappedBuffer(Base64.getUrlDecoder().decode(fields.getFirst()));
      if (bytes.readableBytes() % SETTING_SIZE != 0) {
        return null;
      }
      Http2Settings settings = new Http2Settings();
      while (bytes.isReadable()) {
        settings.put((char) bytes.readUnsignedShort(), Long.valueOf(bytes.readUnsignedInt()));
      }
      return settings;
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  /**
   * Replaces the handlers of HTTP/1.1, and hands the request to a stream.
   *
   * @param context of the handler that got the request
   * @param reader of the request; its remaining bytes go to HTTP/2
   */
  static void perform(
      RestEndpoint endpoint,
      ChannelHandlerContext context,
      RequestReader reader,
      HttpRequest request) {
    Http2Settings settings = settings(request.headers());
    if (settings == null) {
      throw new IllegalStateException("settings were readable before: " + request.uri());
    }
    Channel channel = context.channel();
    context.writeAndFlush(Unpooled.wrappedBuffer(SWITCHING), context.voidPromise());
    Http2Connection connection = Http2Connection.install(endpoint, context);
    context.pipeline().remove(context.handler());
    connection.begin(settings, Http2Heads.ofUpgraded(withoutHops(request)));
    channel.config().setAutoRead(true);
    context.pipeline().remove(reader);
  }

  /** Removes the fields about the connection. */
  private static HttpRequest withoutHops(HttpRequest request) {
    HttpHeaders headers = request.headers();
    for (String field : headers.getAll(HttpHeaderNames.CONNECTION)) {
      for (String name : field.split(",", -1)) {
        if (!name.isBlank()) {
          headers.remove(name.strip().toLowerCase(Locale.ROOT));
        }
      }
    }
    headers.remove(HttpHeaderNames.CONNECTION);
    headers.remove(HttpHeaderNames.UPGRADE);
    headers.remove(SETTINGS);
    headers.remove("keep-alive");
    headers.remove("proxy-connection");
    return request;
  }
}

package dev.isogrid.server.rest;

import dev.isogrid.base.EpochClock;
import dev.isogrid.server.net.ByteBufSink;
import dev.isogrid.server.net.HeldOutput;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ReplyOutput;
import dev.isogrid.store.Bytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes the reply to one request after the other into a connection's output. Until {@link #finish}
 * a reply may begin anew, which drops its bytes so far. For one connection: its event loop, or
 * between {@link #hold} and {@link #passOn} the thread that works for it.
 */
final class Reply {
  /**
   * The least size of a value with a buffer of its own, so that the collecting buffer stays small.
   */
  private static final int OWN_BUFFER_SIZE = 1 << 14;

  private static final long NO_DATE = -1;

  private static final AsciiString VERSION = AsciiString.cached("HTTP/1.1 ");
  private static final AsciiString DATE = AsciiString.cached("\r\nDate: ");
  private static final AsciiString LINE_END = AsciiString.cached("\r\n");
  private static final AsciiString CONTENT_LENGTH = AsciiString.cached("Content-Length: ");
  private static final AsciiString CONTENT_TYPE = AsciiString.cached("Content-Type: ");
  private static final AsciiString CHUNKED = AsciiString.cached("Transfer-Encoding: chunked\r\n");
  private static final AsciiString CLOSE = AsciiString.cached("Connection: close\r\n");
  private static final AsciiString KEEP_ALIVE = AsciiString.cached("Connection: keep-alive\r\n");
  private static final AsciiString CONTINUE = AsciiString.cached("HTTP/1.1 100 Continue\r\n\r\n");
  private static final AsciiString ALLOW_ORIGIN =
      AsciiString.cached("Access-Control-Allow-Origin: ");
  private static final AsciiString ALLOW_ORIGIN_MORE =
      AsciiString.cached(
          "Access-Control-Allow-Credentials: true\r\n"
              + "Access-Control-Expose-Headers: Cache-Control, Content-Type, created, Etag,"
              + " Expires, key-content-type, Last-Modified, lastUsed, maxIdleTimeSeconds,"
              + " timeToLiveSeconds, value-content-type\r\n"
              + "Vary: Origin\r\n");

  private static final AsciiString BROWSER =
      AsciiString.cached("X-Frame-Options: sameorigin\r\n" + "X-XSS-Protection: 1; mode=block\r\n");

  /** Stored content must not run as a script of this origin, nor look like one. */
  private static final AsciiString STORED =
      AsciiString.cached("X-Content-Type-Options: nosniff\r\nContent-Security-Policy: sandbox\r\n");

  /** Pages of the console run scripts of this server only, and are in no frame. */
  private static final AsciiString CONSOLE =
      AsciiString.cached(
          "X-Content-Type-Options: nosniff\r\n"
              + "X-Frame-Options: DENY\r\n"
              + "Referrer-Policy: no-referrer\r\n"
              + "Cross-Origin-Opener-Policy: same-origin\r\n"
              + "Cross-Origin-Resource-Policy: same-origin\r\n"
              + "Content-Security-Policy: default-src 'self'; object-src 'none';"
              + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n");

  private static final AsciiString PAGE =
      AsciiString.cached(
          "X-Content-Type-Options: nosniff\r\n"
              + "Content-Security-Policy: default-src 'self'; style-src 'self' 'unsafe-inline';"
              + " img-src 'self' data:; frame-ancestors 'self'; object-src 'none'\r\n");

  private final OutputGate gate;
  private final HeldOutput held = new HeldOutput();

  /** The present target of replies: the gate, or the holder. */
  private ReplyOutput target;

  private final ByteBufAllocator allocator;
  private final EpochClock clock;
  private final ByteBufSink sink = new ByteBufSink();

  private boolean head;
  private boolean keepAlive;
  private boolean http10;
  private boolean browser;
  private boolean stored;
  private boolean console;
  private @Nullable String allowedOrigin;

  private int start;
  private ByteBuf out = Unpooled.EMPTY_BUFFER;
  private @Nullable ByteBuf ownBuffer;

  private long dateSecond = NO_DATE;
  private AsciiString date = AsciiString.EMPTY_STRING;

  Reply(OutputGate gate, ByteBufAllocator allocator, EpochClock clock) {
    this.gate = gate;
    this.target = gate;
    this.allocator = allocator;
    this.clock = clock;
  }

  /** Prepares for the reply to a request. */
  void to(boolean head, boolean keepAlive, boolean http10) {
    this.head = head;
    this.keepAlive = keepAlive;
    this.http10 = http10;
    this.browser = false;
    this.stored = false;
    this.console = false;
    this.allowedOrigin = null;
  }

  /** Adds the fields for browsers. */
  void toBrowser() {
    browser = true;
  }

  /** Adds the fields that keep a browser from running what a client has stored. */
  void toStored() {
    stored = true;
  }

  /** Adds the fields of the console's own pages instead of those for browsers. */
  void toConsole() {
    console = true;
  }

  /** Allows a web page of another origin to read the reply. */
  void allowOrigin(String origin) {
    allowedOrigin = origin;
  }

  /** Makes the connection end after this reply. */
  void close() {
    keepAlive = false;
  }

  /** Sets whether the connection continues after this reply. */
  void keepAlive(boolean goesOn) {
    keepAlive = goesOn;
  }

  boolean isKeepAlive() {
    return keepAlive;
  }

  boolean isHead() {
    return head;
  }

  boolean isHttp10() {
    return http10;
  }

  /** Holds further replies, so that another thread may write them. */
  void hold() {
    target = held;
  }

  /** The held replies. */
  HeldOutput held() {
    return held;
  }

  /** Passes on the held replies. On the event loop. */
  void passOn() {
    target = gate;
    held.moveTo(gate);
  }

  /** Marks the beginning of the reply. The bytes of an unfinished reply stay. */
  void open() {
    out = target.buffer();
    start = out.writerIndex();
  }

  /** Tells the client to send the body that it announced. */
  void proceed() {
    ByteBufUtil.writeAscii(gate.buffer(), CONTINUE);
  }

  /** Begins the reply, or begins it anew. */
  Reply begin(HttpResponseStatus status) {
    dropOwnBuffer();
    out.writerIndex(start);
    ByteBufUtil.writeAscii(out, VERSION);
    ByteBufUtil.writeAscii(out, status.codeAsText());
    out.writeByte(' ');
    ByteBufUtil.writeAscii(out, status.reasonPhrase());
    ByteBufUtil.writeAscii(out, DATE);
    ByteBufUtil.writeAscii(out, currentDate());
    ByteBufUtil.writeAscii(out, LINE_END);
    if (!keepAlive) {
      ByteBufUtil.writeAscii(out, CLOSE);
    } else if (http10) {
      ByteBufUtil.writeAscii(out, KEEP_ALIVE);
    }
    writeRulesForBrowsers();
    if (allowedOrigin != null) {
      header(ALLOW_ORIGIN, allowedOrigin);
      ByteBufUtil.writeAscii(out, ALLOW_ORIGIN_MORE);
    }
    return this;
  }

  /** Takes the reply back if it has begun. */
  void takeBack() {
    dropOwnBuffer();
    out.writerIndex(start);
    stored = false;
  }

  private void writeRulesForBrowsers() {
    if (console) {
      ByteBufUtil.writeAscii(out, CONSOLE);
      return;
    }
    if (browser) {
      ByteBufUtil.writeAscii(out, BROWSER);
    }
    if (stored || browser) {
      ByteBufUtil.writeAscii(out, stored ? STORED : PAGE);
    }
  }

  private AsciiString currentDate() {
    long nowMillis = clock.millis();
    long second = nowMillis / 1000;
    if (second != dateSecond) {
      dateSecond = second;
      date = AsciiString.of(HttpDate.format(nowMillis));
    }
    return date;
  }

  /**
   * Adds a header field.
   *
   * @param prefix the name, a colon and a blank
   * @param value ASCII without line ends
   */
  Reply header(AsciiString prefix, CharSequence value) {
    ByteBufUtil.writeAscii(out, prefix);
    ByteBufUtil.writeAscii(out, value);
    ByteBufUtil.writeAscii(out, LINE_END);
    return this;
  }

  /** Adds a header field with a number of 0 or more. */
  Reply header(AsciiString prefix, long value) {
    ByteBufUtil.writeAscii(out, prefix);
    writeDecimal(out, value);
    ByteBufUtil.writeAscii(out, LINE_END);
    return this;
  }

  /** Adds a header field with a time; none if HTTP can't express it. */
  Reply dateHeader(AsciiString prefix, long millis) {
    return millis >= 0 && millis <= HttpDate.MILLIS_MAX
        ? header(prefix, HttpDate.format(millis))
        : this;
  }

  /** Adds complete header fields, each with its line end. */
  Reply headers(AsciiString fields) {
    ByteBufUtil.writeAscii(out, fields);
    return this;
  }

  /** Adds the entry's tag. */
  Reply tag(AsciiString prefix, long version) {
    ByteBufUtil.writeAscii(out, prefix);
    out.writeByte('"');
    writeDecimal(out, version);
    out.writeByte('"');
    ByteBufUtil.writeAscii(out, LINE_END);
    return this;
  }

  private static void writeDecimal(ByteBuf out, long number) {
    long power = 1;
    while (number / power >= 10) {
      power *= 10;
    }
    for (; power > 0; power /= 10) {
      out.writeByte('0' + (int) (number / power % 10));
    }
  }

  /** Ends a reply of a status that never has a body: 204 or 304. */
  void bodiless() {
    ByteBufUtil.writeAscii(out, LINE_END);
  }

  /** Ends a reply without a body. */
  void empty() {
    header(CONTENT_LENGTH, 0);
    ByteBufUtil.writeAscii(out, LINE_END);
  }

  /** Ends the reply with a text. */
  void text(CharSequence contentType, String text) {
    bytes(contentType, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Ends the reply with bytes, which are borrowed. */
  void bytes(CharSequence contentType, byte[] body) {
    bodyHead(contentType, body.length);
    if (!head) {
      body(body.length).writeBytes(body);
    }
  }

  /** Ends the reply with bytes, which are borrowed. */
  void bytes(CharSequence contentType, Bytes body) {
    int length = body.length();
    bodyHead(contentType, length);
    if (!head) {
      body.writeTo(sink.to(body(length)));
    }
  }

  private void bodyHead(CharSequence contentType, int length) {
    header(CONTENT_TYPE, contentType);
    header(CONTENT_LENGTH, length);
    ByteBufUtil.writeAscii(out, LINE_END);
  }

  private ByteBuf body(int length) {
    if (length < OWN_BUFFER_SIZE) {
      return out;
    }
    ByteBuf own = allocator.ioBuffer(length);
    ownBuffer = own;
    return own;
  }

  /** Ends the head of a reply whose body follows in parts of unknown number. */
  void streamed(CharSequence contentType) {
    header(CONTENT_TYPE, contentType);
    if (!http10) {
      ByteBufUtil.writeAscii(out, CHUNKED);
    }
    ByteBufUtil.writeAscii(out, LINE_END);
  }

  /** Hands the reply over for sending. */
  void finish() {
    ByteBuf own = ownBuffer;
    if (own != null) {
      ownBuffer = null;
      target.write(own);
    }
  }

  /** Drops held replies, and the bytes of an unfinished reply. */
  void drop() {
    dropOwnBuffer();
    held.drop();
  }

  /** Takes back the bytes of an unfinished reply. */
  void dropOwnBuffer() {
    ByteBuf own = ownBuffer;
    ownBuffer = null;
    if (own != null) {
      own.release();
    }
  }
}

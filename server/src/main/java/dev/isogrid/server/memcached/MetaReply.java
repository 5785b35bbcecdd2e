package dev.isogrid.server.memcached;

import dev.isogrid.codec.Decimal;
import dev.isogrid.server.net.ByteBufSink;
import dev.isogrid.store.Bytes;
import io.netty.buffer.ByteBuf;

/**
 * Writes the replies to meta commands: a code, the results of the flags in their order, and
 * optionally a value. Reusable; for one thread.
 */
final class MetaReply {
  static final byte[] HD = Reply.ascii("HD");
  static final byte[] EN = Reply.ascii("EN");
  static final byte[] NF = Reply.ascii("NF");
  static final byte[] NS = Reply.ascii("NS");
  static final byte[] EX = Reply.ascii("EX");

  private static final byte[] VA = Reply.ascii("VA ");
  private static final int LINE_END_BYTES = 2;

  /**
   * The longest reply: a code, a size, all flags with numbers, the longest key and token, and the
   * marks.
   */
  private static final int LENGTH_MAX =
      8 + 8 * (2 + Decimal.LENGTH_MAX) + 2 * (2 + Conversation.KEY_LENGTH_MAX) + 8;

  private final Conversation conversation;
  private final MetaFlags flags;
  private final ByteBufSink sink = new ByteBufSink();
  private final byte[] digits = new byte[Decimal.LENGTH_MAX];
  private final byte[] text = new byte[LENGTH_MAX];
  private int at;
  private int keyStart;
  private int keyLength;

  // The results that flags may request.
  private long cas;
  private long size;
  private int clientFlags;
  private long leftMillis;
  private boolean wasRead;
  private long idleSeconds;

  MetaReply(Conversation conversation, MetaFlags flags) {
    this.conversation = conversation;
    this.flags = flags;
  }

  /** Notes the place of the key in the line. */
  void key(int start, int length) {
    keyStart = start;
    keyLength = length;
  }

  /** Sets the version that {@code c} returns. */
  MetaReply cas(long version) {
    cas = version;
    return this;
  }

  /**
   * Sets the other results that flags may request.
   *
   * @param leftMillis the rest of the lifespan, negative for unlimited
   */
  MetaReply entry(long size, int clientFlags, long leftMillis) {
    this.size = size;
    this.clientFlags = clientFlags;
    this.leftMillis = leftMillis;
    return this;
  }

  /** Sets the results of {@code h} and {@code l}: of the entry before this command. */
  MetaReply use(boolean wasRead, long idleSeconds) {
    this.wasRead = wasRead;
    this.idleSeconds = idleSeconds;
    return this;
  }

  /** Begins a reply. */
  MetaReply begin(byte[] code) {
    at = 0;
    return add(code);
  }

  /** Begins a reply with a value. */
  MetaReply beginValue(long length) {
    at = 0;
    return add(VA).add(length);
  }

  private MetaReply add(byte[] bytes) {
    System.arraycopy(bytes, 0, text, at, bytes.length);
    at += bytes.length;
    return this;
  }

  private MetaReply add(long number) {
    int from = Decimal.format(number, digits);
    System.arraycopy(digits, from, text, at, digits.length - from);
    at += digits.length - from;
    return this;
  }

  /** Adds a blank and a letter. */
  MetaReply letter(char letter) {
    text[at++] = ' ';
    text[at++] = (byte) letter;
    return this;
  }

  /**
   * Adds the results of the flags.
   *
   * @param shown the letters that this command answers, beside {@code k} and {@code O}
   */
  MetaReply flags(String shown) {
    byte[] line = conversation.line.bytes();
    for (int i = 0; i < flags.count(); i++) {
      char flag = (char) line[flags.start(i)];
      if (flag == 'k') {
        letter(flag).copy(line, keyStart, keyLength);
        if (flags.has('b')) {
          letter('b');
        }
      } else if (flag == 'O') {
        text[at++] = ' ';
        copy(line, flags.start(i), flags.length(i));
      } else if (shown.indexOf(flag) >= 0) {
        letter(flag).number(flag);
      }
    }
    return this;
  }

  private void copy(byte[] line, int start, int length) {
    System.arraycopy(line, start, text, at, length);
    at += length;
  }

  private void number(char flag) {
    switch (flag) {
      case 'c' -> add(cas);
      case 'f' -> add(clientFlags & 0xFFFF_FFFFL);
      case 'h' -> add(wasRead ? 1 : 0);
      case 'l' -> add(idleSeconds);
      case 's' -> add(size);
      case 't' -> {
        if (leftMillis < 0) {
          text[at++] = '-';
        }
        add(leftMillis < 0 ? 1 : (leftMillis + 999) / 1000);
      }
      default -> throw new AssertionError(flag);
    }
  }

  private void endLine() {
    text[at++] = '\r';
    text[at++] = '\n';
  }

  /** Sends the reply. */
  void send() {
    endLine();
    conversation.output.append(text, at);
  }

  /**
   * Writes the reply and a value, which can be taken back until the output commits it.
   *
   * @return its bytes
   */
  int write(Bytes value) {
    endLine();
    int bytes = Math.addExact(at + LINE_END_BYTES, value.length());
    ByteBuf out = conversation.output.begin(bytes);
    out.writeBytes(text, 0, at);
    value.writeTo(sink.to(out));
    out.writeByte('\r').writeByte('\n');
    return bytes;
  }

  /** Writes the reply without a value, otherwise as {@link #write(Bytes)}. */
  int write() {
    endLine();
    conversation.output.begin(at).writeBytes(text, 0, at);
    return at;
  }
}

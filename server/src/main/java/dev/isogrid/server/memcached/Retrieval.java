package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import dev.isogrid.codec.Decimal;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.server.net.ByteBufSink;
import dev.isogrid.server.net.CacheLatencies.Kind;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import io.netty.buffer.ByteBuf;

/**
 * The commands get, gets, gat and gats: any number of keys, one after the other, each answered
 * directly from the container. For the connection's event loop, or the thread that works for it
 * meanwhile.
 */
final class Retrieval extends Lookup {
  /**
   * Keys that an event loop answers at once: some 50 microseconds. Another thread answers the
   * following ones, since a line can have hundreds of thousands.
   */
  static final int LOOP_KEYS_MAX = 128;

  private static final byte[] VALUE = Reply.ascii("VALUE ");
  private static final int LINE_END = '\r' << 8 | '\n';
  private static final int LINE_END_BYTES = 2;

  /**
   * The first line of a hit without its key: the word, three numbers, blanks and the line's end.
   */
  private static final int FIRST_LINE_BYTES_MAX =
      VALUE.length + 3 * (1 + Decimal.LENGTH_MAX) + LINE_END_BYTES;

  private static final long FLAGS_MASK = 0xFFFF_FFFFL;

  private final Runnable rest;
  private final ByteBufSink sink = new ByteBufSink();
  private final byte[] digits = new byte[Decimal.LENGTH_MAX];
  private final byte[] firstLine = new byte[FIRST_LINE_BYTES_MAX + Conversation.KEY_LENGTH_MAX];

  private boolean withCas;
  private boolean touching;
  private long lifespanMillis = Expiry.UNLIMITED;

  /**
   * Makes the commands of a connection.
   *
   * @param rest continues with the keys on a thread that may block
   */
  Retrieval(Conversation conversation, Runnable rest) {
    super(conversation);
    this.rest = rest;
    System.arraycopy(VALUE, 0, firstLine, 0, VALUE.length);
  }

  /**
   * Begins a get or gets; the line is at its command.
   *
   * @return whether there are further keys
   */
  boolean beginGet(boolean withCas) {
    conversation.timer.drop();
    this.withCas = withCas;
    this.touching = false;
    CommandLine line = conversation.line;
    if (!keysFit(line)) {
      return false;
    }
    if (!line.next()) {
      conversation.reply(Reply.ERROR);
      return false;
    }
    return true;
  }

  /** As {@link #beginGet}, with a time before the keys. */
  boolean beginGetAndTouch(boolean withCas) {
    conversation.timer.drop();
    this.withCas = withCas;
    this.touching = true;
    CommandLine line = conversation.line;
    if (!line.next()) {
      conversation.reply(Reply.ERROR);
      return false;
    }
    Decimal exptime = line.number(conversation.decimal);
    if (!exptime.isSigned()) {
      conversation.reply(Reply.BAD_EXPTIME);
      return false;
    }
    long nowMillis = conversation.endpoint.nowMillis();
    int seconds = (int) exptime.number();
    lifespanMillis = Exptime.lifespanMillis(seconds, nowMillis);
    if (!keysFit(line)) {
      return false;
    }
    if (!line.next()) {
      conversation.reply(Reply.END);
      return false;
    }
    return true;
  }

  private boolean keysFit(CommandLine line) {
    if (line.restFits(Conversation.KEY_LENGTH_MAX)) {
      return true;
    }
    conversation.reply(Reply.BAD_FORMAT);
    return false;
  }

  /**
   * Answers the keys from the line's current word on.
   *
   * @return false if the output is full, or the current key may have to wait and this thread must
   *     not; then call this again when there is room, or on a thread that may block
   */
  boolean answerKeys() {
    CommandLine line = conversation.line;
    conversation.engine(); // before any reply
    int answered = 0;
    do {
      if (!conversation.output.hasRoom()) {
        return false;
      }
      if (answered++ == LOOP_KEYS_MAX && !conversation.mayBlock()) {
        conversation.postponeAlone(rest);
        return false;
      }
      conversation.setKey(line.start(), line.length());
      conversation.bringKeyIntoForm();
      if (!tryAnswerKey(line)) {
        postponeRest(line);
        return false;
      }
    } while (line.next());
    conversation.reply(Reply.END);
    return true;
  }

  /** Answers the current key; returns false if that may have to wait and this thread must not. */
  private boolean tryAnswerKey(CommandLine line) {
    conversation.timer.begin(touching ? Kind.OTHER : Kind.GET);
    if (conversation.mustWait(!touching)) {
      return false;
    }
    try {
      boolean isFound = touching ? getAndTouch(lifespanMillis) : get();
      conversation.prefixes.read(line.bytes(), line.start(), line.length(), isFound);
      conversation.timer.end(conversation.key);
      return true;
    } catch (WouldWaitException _) {
      return false;
    }
  }

  /**
   * Continues with the current key on a thread that may block. A single key runs beside other
   * commands.
   */
  private void postponeRest(CommandLine line) {
    if (line.isLastWord()) {
      conversation.postpone(rest);
    } else {
      conversation.postponeAlone(rest);
    }
  }

  @Override
  int show(EntryView<BinaryKey, Bytes> entry) {
    Bytes value = conversation.form().decoded(entry.value());
    int lineLength = formatFirstLine(entry, value.length());
    int bytes = Math.addExact(lineLength + LINE_END_BYTES, value.length());
    ByteBuf out = conversation.output.begin(bytes);
    out.writeBytes(firstLine, 0, lineLength);
    value.writeTo(sink.to(out));
    out.writeShort(LINE_END);
    return bytes;
  }

  private int formatFirstLine(EntryView<BinaryKey, Bytes> entry, int length) {
    CommandLine line = conversation.line;
    byte[] target = firstLine;
    int at = VALUE.length;
    System.arraycopy(line.bytes(), line.start(), target, at, line.length());
    at = formatNumber(target, at + line.length(), entry.clientFlags() & FLAGS_MASK);
    at = formatNumber(target, at, length);
    if (withCas) {
      at = formatNumber(target, at, conversation.casOf(entry.version()));
    }
    target[at++] = '\r';
    target[at++] = '\n';
    return at;
  }

  private int formatNumber(byte[] target, int at, long number) {
    int from = Decimal.format(number, digits);
    int length = digits.length - from;
    target[at] = ' ';
    System.arraycopy(digits, from, target, at + 1, length);
    return at + 1 + length;
  }
}

package dev.isogrid.server.memcached;

import dev.isogrid.codec.Decimal;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.CacheLatencies.Kind;

/**
 * The commands of one line on one key: delete, incr, decr and touch. For the connection's event
 * loop, or the thread that works for it meanwhile.
 */
final class KeyCommands {
  private static final byte[] ZERO = Reply.ascii("0");

  private final Conversation conversation;
  private final Deletion removal;
  private final Calculation arithmetic;
  private final Touch touch = new Touch(null);
  private final Runnable deletion = this::doDelete;
  private final Runnable calculation = this::calculate;
  private final Runnable touching = this::doTouch;

  KeyCommands(Conversation conversation) {
    this.conversation = conversation;
    this.removal = new Deletion(conversation);
    this.arithmetic = new Calculation(conversation);
  }

  /** {@code delete key [0] [noreply]}. */
  void delete() {
    CommandLine line = conversation.line;
    int words = line.split();
    if (words < 2 || words > 4) {
      conversation.reply(Reply.ERROR);
      return;
    }
    if (words > 2) {
      conversation.heedNoreply();
      boolean zero = line.is(2, ZERO);
      boolean valid =
          words == 3 ? zero || conversation.isSilent() : zero && conversation.isSilent();
      if (!valid) {
        conversation.reply(Reply.BAD_DELETE);
        return;
      }
    }
    if (!conversation.takeKey(1)) {
      conversation.reply(Reply.BAD_FORMAT);
      return;
    }
    conversation.prefixes.remove(line.bytes(), line.start(1), line.length(1));
    conversation.onKey(Kind.REMOVE, deletion);
  }

  private void doDelete() {
    boolean found = removal.perform(0) == KeyWrite.Outcome.DONE;
    conversation.reply(found ? Reply.DELETED : Reply.NOT_FOUND);
  }

  /** {@code incr key delta [noreply]} and decr. */
  void arithmetic(boolean increment) {
    CommandLine line = conversation.line;
    if (!hasTwoArguments(line)) {
      return;
    }
    Decimal delta = line.number(2, conversation.decimal);
    if (!delta.isUnsigned()) {
      conversation.reply(Reply.BAD_DELTA);
      return;
    }
    long nowMillis = conversation.endpoint.nowMillis();
    arithmetic.arithmetic().to(increment, delta.number(), nowMillis);
    conversation.onKey(Kind.OTHER, calculation);
  }

  private void calculate() {
    switch (arithmetic.perform(0)) {
      case DONE, MADE -> conversation.replyUnsigned(arithmetic.arithmetic().result());
      case NO_ENTRY, OTHER_VERSION -> conversation.reply(Reply.NOT_FOUND);
      case NO_NUMBER -> conversation.reply(Reply.NON_NUMERIC);
    }
  }

  /** {@code touch key exptime [noreply]}. */
  void touch() {
    CommandLine line = conversation.line;
    if (!hasTwoArguments(line)) {
      return;
    }
    Decimal exptime = line.number(2, conversation.decimal);
    if (!exptime.isSigned()) {
      conversation.reply(Reply.BAD_EXPTIME);
      return;
    }
    long nowMillis = conversation.endpoint.nowMillis();
    int seconds = (int) exptime.number();
    long lifespanMillis = Exptime.lifespanMillis(seconds, nowMillis);
    touch.to(lifespanMillis);
    conversation.onKey(Kind.OTHER, touching);
  }

  private void doTouch() {
    conversation.reply(touch.perform(conversation) ? Reply.TOUCHED : Reply.NOT_FOUND);
  }

  /** Whether the line has a key, one more word and optionally noreply; replies if not. */
  private boolean hasTwoArguments(CommandLine line) {
    int words = line.split();
    if (words < 3 || words > 4) {
      conversation.reply(Reply.ERROR);
      return false;
    }
    conversation.heedNoreply();
    if (!conversation.takeKey(1)) {
      conversation.reply(Reply.BAD_FORMAT);
      return false;
    }
    return true;
  }
}

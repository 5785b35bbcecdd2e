package dev.isogrid.server.memcached;

import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;

/**
 * The commands that are one line about one key: delete, incr, decr and touch. For the connection's
 * event loop, or the thread that works for it meanwhile.
 */
final class KeyCommands {
  private static final byte[] ZERO = Reply.ascii("0");

  private final Conversation conversation;
  private final KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
  private final Arithmetic arithmetic = new Arithmetic();
  private final Touch touch = new Touch(null);
  private final Runnable deletion = this::doDelete;
  private final Runnable calculation = this::calculate;
  private final Runnable touching = this::doTouch;
  private boolean increment;

  KeyCommands(Conversation conversation) {
    this.conversation = conversation;
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
    conversation.onKey(false, deletion);
  }

  private void doDelete() {
    BinaryKey key = conversation.key;
    conversation.engine().write(key, key.hash(), write.remove());
    boolean found = write.existed();
    Counters counters = conversation.counters;
    (found ? counters.deleteHits : counters.deleteMisses).increment();
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
    this.increment = increment;
    long nowMillis = conversation.endpoint.nowMillis();
    arithmetic.to(increment, delta.number(), nowMillis);
    conversation.onKey(false, calculation);
  }

  private void calculate() {
    BinaryKey key = conversation.key;
    var engine = conversation.engine();
    engine.write(key, key.hash(), arithmetic.of(conversation.form()));
    Counters counters = conversation.counters;
    switch (arithmetic.outcome()) {
      case DONE, MADE -> {
        (increment ? counters.incrHits : counters.decrHits).increment();
        conversation.replyUnsigned(arithmetic.result());
      }
      case NO_ENTRY, OTHER_VERSION -> {
        (increment ? counters.incrMisses : counters.decrMisses).increment();
        conversation.reply(Reply.NOT_FOUND);
      }
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
    long lifespanMillis = Exptime.lifespanMillis((int) exptime.number(), nowMillis);
    touch.to(lifespanMillis);
    conversation.onKey(false, touching);
  }

  private void doTouch() {
    BinaryKey key = conversation.key;
    conversation.engine().write(key, key.hash(), touch);
    Counters counters = conversation.counters;
    (touch.found() ? counters.touchHits : counters.touchMisses).increment();
    conversation.reply(touch.found() ? Reply.TOUCHED : Reply.NOT_FOUND);
  }

  /** Whether the line has a key, one more word and maybe noreply; replies if not. */
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

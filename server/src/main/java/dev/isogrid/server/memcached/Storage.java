package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;

/**
 * The commands set, add, replace, append, prepend and cas: a line, then a block of bytes. For the
 * connection's event loop, or the thread that works for it meanwhile.
 */
final class Storage extends BlockCommand {
  private static final int WORDS_MIN = 5;

  private final KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
  private final Concatenation concatenation;
  private final Runnable removal = this::removeAndReply;

  private Command command = Command.SET;
  private int flags;
  private int exptime;
  private long casUnique;

  Storage(Conversation conversation) {
    super(conversation);
    this.concatenation = new Concatenation(value, itemSize);
  }

  @Override
  Next begin(Command command) {
    this.command = command;
    CommandLine line = conversation.line;
    int words = line.split();
    int wordsMin = command == Command.CAS ? WORDS_MIN + 1 : WORDS_MIN;
    if (words < wordsMin || words > wordsMin + 1) {
      conversation.reply(Reply.ERROR);
      return Next.COMMAND;
    }
    conversation.heedNoreply();
    if (!conversation.takeKey(1) || !takeNumbers(line)) {
      conversation.reply(Reply.BAD_FORMAT);
      return Next.COMMAND;
    }
    return block(flags);
  }

  private boolean takeNumbers(CommandLine line) {
    Decimal decimal = conversation.decimal;
    if (!line.number(2, decimal).isUnsigned()) {
      return false;
    }
    flags = (int) decimal.number();
    if (!line.number(3, decimal).isSigned()) {
      return false;
    }
    exptime = (int) decimal.number();
    if (!line.number(4, decimal).isSigned()) {
      return false;
    }
    length = (int) decimal.number();
    if (command == Command.CAS) {
      if (!line.number(5, decimal).isUnsigned()) {
        return false;
      }
      casUnique = decimal.number();
    }
    return length >= 0 && length <= LENGTH_NUMBER_MAX;
  }

  /** The block is too large. A set must not leave an older value behind. */
  @Override
  void refuse() {
    conversation.counters.storeTooLarge.increment();
    if (command == Command.SET) {
      conversation.onKey(false, removal);
    } else {
      conversation.reply(Reply.TOO_LARGE);
    }
  }

  private void removeAndReply() {
    BinaryKey key = conversation.key;
    conversation.engine().write(key, key.hash(), write.remove());
    conversation.reply(Reply.TOO_LARGE);
  }

  @Override
  void store() {
    conversation.reply(stored(conversation.engine()));
  }

  private byte[] stored(CacheEngine<BinaryKey, Bytes> engine) {
    return switch (command) {
      case APPEND -> concatenate(engine, true);
      case PREPEND -> concatenate(engine, false);
      case CAS -> compareAndSet(engine);
      case ADD -> put(engine, KeyWrite.Condition.ABSENT);
      case REPLACE -> put(engine, KeyWrite.Condition.PRESENT);
      default -> put(engine, KeyWrite.Condition.NONE);
    };
  }

  private byte[] stored() {
    conversation.counters.totalItems.increment();
    return Reply.STORED;
  }

  private byte[] put(CacheEngine<BinaryKey, Bytes> engine, KeyWrite.Condition condition) {
    BinaryKey key = conversation.key;
    engine.write(key, key.hash(), newPut().when(condition));
    return write.outcome() == KeyWrite.Outcome.DONE ? stored() : Reply.NOT_STORED;
  }

  private KeyWrite<BinaryKey, Bytes> newPut() {
    long lifespanMillis = Exptime.lifespanMillis(exptime, conversation.endpoint.nowMillis());
    return write
        .put(conversation.form().encoded(value))
        .expiry(lifespanMillis, Expiry.UNLIMITED)
        .attributes(flags, null);
  }

  private byte[] compareAndSet(CacheEngine<BinaryKey, Bytes> engine) {
    BinaryKey key = conversation.key;
    engine.write(key, key.hash(), newPut().whenVersion(conversation.versionOf(casUnique)));
    Counters counters = conversation.counters;
    return switch (write.outcome()) {
      case DONE -> {
        counters.casHits.increment();
        yield stored();
      }
      case KEY_ABSENT -> {
        counters.casMisses.increment();
        yield Reply.NOT_FOUND;
      }
      case OTHER_VERSION, KEY_PRESENT -> {
        counters.casBadval.increment();
        yield Reply.EXISTS;
      }
    };
  }

  private byte[] concatenate(CacheEngine<BinaryKey, Bytes> engine, boolean append) {
    BinaryKey key = conversation.key;
    long nowMillis = conversation.endpoint.nowMillis();
    engine.write(key, key.hash(), concatenation.to(append, nowMillis, conversation.form()));
    return concatenation.outcome() == Concatenation.Outcome.DONE ? stored() : Reply.NOT_STORED;
  }
}

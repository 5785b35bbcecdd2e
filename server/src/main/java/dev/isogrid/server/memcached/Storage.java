package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.ByteBufBytes;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.buffer.ByteBuf;

/**
 * The commands set, add, replace, append, prepend and cas: a line, then a block of bytes. For the
 * connection's event loop, or the thread that works for it meanwhile.
 */
final class Storage {
  /** What ends a block of bytes. */
  static final int BLOCK_END_BYTES = 2;

  /** Longer blocks, with their end, would not have a length that fits into 32 bits. */
  private static final int LENGTH_NUMBER_MAX = Integer.MAX_VALUE - BLOCK_END_BYTES;

  private static final int WORDS_MIN = 5;

  /** What comes after the line. */
  enum Next {
    /** Another command: this one was refused. */
    COMMAND,
    /** The block of bytes. */
    BLOCK,
    /** A block of bytes that is to be thrown away: it is too large. */
    REFUSED_BLOCK
  }

  private final Conversation conversation;
  private final int lengthMax;
  private final ByteBufBytes value = new ByteBufBytes();
  private final KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
  private final Concatenation concatenation;
  private final Runnable storing = this::storeAndReply;
  private final Runnable removal = this::removeAndReply;

  private Command command = Command.SET;
  private int flags;
  private int exptime;
  private int length;
  private long casUnique;

  Storage(Conversation conversation) {
    this.conversation = conversation;
    this.lengthMax = conversation.endpoint.context().contentLengthMax();
    this.concatenation = new Concatenation(value, lengthMax);
  }

  /** The length of the block of bytes, without its end. */
  int length() {
    return length;
  }

  /** Takes the line, which is at its command. */
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
    return length > lengthMax ? Next.REFUSED_BLOCK : Next.BLOCK;
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

  /** Answers a line whose block is too large. A set must not leave an older value behind. */
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

  /**
   * Does what the line says with the block that begins at the reader's index; moves on after it.
   *
   * @param in has the whole block and its end; its bytes must stay until the command is done
   */
  void finish(ByteBuf in) {
    conversation.counters.cmdSet.increment();
    int start = in.readerIndex();
    in.skipBytes(length + BLOCK_END_BYTES);
    boolean ended = in.getByte(start + length) == '\r' && in.getByte(start + length + 1) == '\n';
    if (!ended) {
      conversation.reply(Reply.BAD_DATA);
      return;
    }
    value.set(in, start, length);
    conversation.onKey(false, storing);
  }

  private void storeAndReply() {
    try {
      conversation.reply(store());
    } finally {
      value.clear();
    }
  }

  private byte[] store() {
    CacheEngine<BinaryKey, Bytes> engine = conversation.engine();
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
    engine.write(key, key.hash(), newPut().whenVersion(casUnique));
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
    return concatenation.isDone() ? stored() : Reply.NOT_STORED;
  }
}

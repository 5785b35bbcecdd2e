package dev.isogrid.server.memcached;

import dev.isogrid.codec.Decimal;
import dev.isogrid.server.net.CacheLatencies.Kind;

/**
 * The commands set, add, replace, append, prepend and cas: a line, then a block of bytes. For the
 * connection's event loop, or the thread that works for it meanwhile.
 */
final class Storage extends BlockCommand {
  private static final int WORDS_MIN = 5;

  private final Store store;
  private final Runnable removal = this::removeAndReply;

  private Command command = Command.SET;
  private int flags;
  private int exptime;
  private long casUnique;

  Storage(Conversation conversation) {
    super(conversation);
    this.store = new Store(conversation, value);
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
    conversation.prefixes.store(line.bytes(), line.start(1), line.length(1));
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

  /** Refuses a block that is too large. A set must not leave an older value behind. */
  @Override
  void refuse() {
    store.with(flags, exptime).refused(command);
    if (command == Command.SET) {
      conversation.onKey(Kind.REMOVE, removal);
    } else {
      conversation.reply(Reply.TOO_LARGE);
    }
  }

  private void removeAndReply() {
    store.removeOld();
    conversation.reply(Reply.TOO_LARGE);
  }

  @Override
  void store() {
    long compared = command == Command.CAS ? casUnique : 0;
    conversation.reply(
        switch (store.with(flags, exptime).expecting(compared).perform(command)) {
          case STORED -> Reply.STORED;
          case NOT_STORED -> Reply.NOT_STORED;
          case EXISTS -> Reply.EXISTS;
          case NOT_FOUND -> Reply.NOT_FOUND;
        });
  }
}

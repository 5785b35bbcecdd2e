package dev.isogrid.server.memcached;

import dev.isogrid.codec.Decimal;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.CacheAdministration;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * The commands about memcached's memory: {@code slabs}, {@code lru}, {@code lru_crawler} and {@code
 * cache_memlimit}. Settings of features that only memcached has are accepted without effect, so
 * that tools that use them continue. For the connection's event loop, or the thread that works for
 * it meanwhile.
 */
final class MemoryCommands {
  private static final byte[] AUTOMOVE = Reply.ascii("automove");
  private static final byte[] REASSIGN = Reply.ascii("reassign");
  private static final byte[] MODE = Reply.ascii("mode");
  private static final byte[] FLAT = Reply.ascii("flat");
  private static final byte[] SEGMENTED = Reply.ascii("segmented");
  private static final byte[] TUNE = Reply.ascii("tune");
  private static final byte[] TEMP_TTL = Reply.ascii("temp_ttl");
  private static final byte[] ENABLE = Reply.ascii("enable");
  private static final byte[] DISABLE = Reply.ascii("disable");
  private static final byte[] SLEEP = Reply.ascii("sleep");
  private static final byte[] TO_CRAWL = Reply.ascii("tocrawl");
  private static final byte[] CRAWL = Reply.ascii("crawl");
  private static final byte[] METADUMP = Reply.ascii("metadump");
  private static final byte[] ALL = Reply.ascii("all");
  private static final byte[] HASH = Reply.ascii("hash");

  private static final byte[] SAME = Reply.line("SAME src and dst class are identical");
  private static final byte[] NO_SPARE = Reply.line("NOSPARE source class has no spare pages");
  private static final byte[] BAD_CLASS = Reply.line("BADCLASS invalid class id");
  private static final byte[] BAD_CLASSES = Reply.line("BADCLASS invalid src or dst class id");
  private static final byte[] SLEEP_TOO_LONG =
      Reply.line("CLIENT_ERROR sleep must be one second or less");
  private static final byte[] LIMIT_TOO_SMALL =
      Reply.line("MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m");

  private static final int AUTOMOVE_MAX = 2;
  private static final int SLEEP_MICROS_MAX = 1_000_000;
  private static final int LIMIT_MIN_MEGABYTES = 8;
  private static final int CLASS_MAX = 63;
  private static final String MAX_SIZE = "memory.max-size";

  private final Conversation conversation;
  private final Runnable limiting = this::limit;
  private long limitBytes;

  MemoryCommands(Conversation conversation) {
    this.conversation = conversation;
  }

  /** {@code slabs reassign from to} and {@code slabs automove mode}: there are no slabs to move. */
  void slabs() {
    CommandLine line = conversation.line;
    int words = line.split();
    if (words == 4 && line.is(1, REASSIGN)) {
      conversation.reply(reassigned(line));
    } else if (words >= 3 && line.is(1, AUTOMOVE)) {
      Decimal mode = line.number(2, conversation.decimal);
      boolean isMode = mode.isUnsigned();
      byte[] taken = mode.number() <= AUTOMOVE_MAX ? Reply.OK : Reply.ERROR;
      conversation.reply(isMode ? taken : Reply.BAD_FORMAT);
    } else {
      conversation.reply(Reply.ERROR);
    }
  }

  private byte[] reassigned(CommandLine line) {
    Decimal decimal = conversation.decimal;
    boolean isNumber = line.number(2, decimal).isSigned();
    long from = decimal.number();
    if (!isNumber || !line.number(3, decimal).isSigned()) {
      return Reply.BAD_FORMAT;
    }
    long to = decimal.number();
    if (from == to) {
      return SAME;
    }
    return isClass(from) && isClass(to) ? NO_SPARE : BAD_CLASSES;
  }

  private static boolean isClass(long number) {
    return number >= 1 && number <= CLASS_MAX;
  }

  /** {@code lru mode|tune|temp_ttl ...}: the cache chooses what to evict by itself. */
  void lru() {
    CommandLine line = conversation.line;
    int words = line.split();
    boolean isTaken =
        words >= 3
            && ((line.is(1, MODE) && (line.is(2, FLAT) || line.is(2, SEGMENTED)))
                || (line.is(1, TEMP_TTL) && line.number(2, conversation.decimal).isSigned())
                || (line.is(1, TUNE) && words >= 6 && arePercents(line)));
    conversation.reply(isTaken ? Reply.OK : Reply.ERROR);
  }

  private boolean arePercents(CommandLine line) {
    return line.number(2, conversation.decimal).isUnsigned()
        && line.number(3, conversation.decimal).isUnsigned();
  }

  /**
   * {@code lru_crawler ...}: lists keys. Its other functions in memcached are not needed here,
   * since expired entries are removed all the time.
   *
   * @return whether to list keys
   */
  boolean lruCrawler() {
    CommandLine line = conversation.line;
    int words = line.split();
    if (words == 2 && (line.is(1, ENABLE) || line.is(1, DISABLE))) {
      conversation.reply(Reply.OK);
      return false;
    }
    if (words != 3) {
      conversation.reply(Reply.ERROR);
      return false;
    }
    if (!line.is(1, METADUMP)) {
      conversation.reply(crawlerSetting(line));
      return false;
    }
    Classes classes = line.is(2, HASH) ? Classes.WITH_ITEMS : classes(line);
    switch (classes) {
      case INVALID -> conversation.reply(BAD_CLASS);
      case EMPTY -> conversation.reply(Reply.END);
      case WITH_ITEMS -> {} // the list is the reply
    }
    return classes == Classes.WITH_ITEMS;
  }

  /** Some classes of slabs that a command names. */
  private enum Classes {
    /** There is no such class. */
    INVALID,
    /** All of them are without items. */
    EMPTY,
    /** The first one is among them, which has all items. */
    WITH_ITEMS
  }

  private byte[] crawlerSetting(CommandLine line) {
    if (line.is(1, CRAWL)) {
      return classes(line) == Classes.INVALID ? BAD_CLASS : Reply.OK;
    }
    boolean isSleep = line.is(1, SLEEP);
    if (!isSleep && !line.is(1, TO_CRAWL)) {
      return Reply.ERROR;
    }
    Decimal number = line.number(2, conversation.decimal);
    if (!number.isUnsigned()) {
      return Reply.BAD_FORMAT;
    }
    return isSleep && number.number() > SLEEP_MICROS_MAX ? SLEEP_TOO_LONG : Reply.OK;
  }

  /** The classes in the third word: all, or their numbers with commas between them. */
  private Classes classes(CommandLine line) {
    if (line.is(2, ALL)) {
      return Classes.WITH_ITEMS;
    }
    Classes found = Classes.EMPTY;
    for (String word : line.text(2).split(",", -1)) {
      byte[] digits = word.getBytes(StandardCharsets.ISO_8859_1);
      Decimal number = conversation.decimal.reset().accept(digits, 0, digits.length);
      if (!number.isUnsigned() || !isClass(number.number())) {
        return Classes.INVALID;
      }
      found = number.number() == 1 ? Classes.WITH_ITEMS : found;
    }
    return found;
  }

  /** {@code cache_memlimit megabytes [noreply]}: changes the bound of the cache, in the cluster. */
  void memoryLimit() {
    CommandLine line = conversation.line;
    int words = line.split();
    conversation.heedNoreply();
    Decimal megabytes = conversation.decimal;
    if (words < 2 || words > 3 || !isMegabytes(line.number(1, megabytes))) {
      conversation.reply(Reply.ERROR);
    } else if (megabytes.number() < LIMIT_MIN_MEGABYTES) {
      conversation.reply(LIMIT_TOO_SMALL);
    } else {
      limitBytes = megabytes.number() << 20;
      conversation.onCache(limiting);
    }
  }

  private static boolean isMegabytes(Decimal number) {
    return number.isUnsigned() && number.number() >= 0 && number.number() <= Integer.MAX_VALUE;
  }

  private void limit() {
    CacheEngine<BinaryKey, Bytes> engine = conversation.engine();
    new CacheAdministration(conversation.endpoint.context().catalog(), conversation.caller)
        .updateAttribute(engine.name(), MAX_SIZE, Long.toString(limitBytes));
    conversation.reply(Reply.OK);
  }
}

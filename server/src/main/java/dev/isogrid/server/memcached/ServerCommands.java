package dev.isogrid.server.memcached;

import io.netty.channel.Channel;

/**
 * The commands that are not about a key: flush_all, stats, version and verbosity. For the
 * connection's event loop, or the thread that works for it meanwhile.
 */
final class ServerCommands {
  private static final byte[] RESET = Reply.ascii("reset");
  private static final byte[] SETTINGS = Reply.ascii("settings");
  private static final byte[] SIZES = Reply.ascii("sizes");
  private static final byte[] ITEMS = Reply.ascii("items");
  private static final byte[] SLABS = Reply.ascii("slabs");
  private static final byte[] CONNS = Reply.ascii("conns");
  private static final byte[] CACHEDUMP = Reply.ascii("cachedump");
  private static final byte[] NO_SHUTDOWN = Reply.line("ERROR: shutdown not enabled");
  private static final byte[] BAD_LINE = Reply.line("CLIENT_ERROR bad command line");
  private static final byte[] BAD_CLASS = Reply.line("CLIENT_ERROR Illegal slab id");

  /** The classes of slabs in memcached. All items here are in the first one. */
  private static final int CLASS_MAX = 63;

  private static final byte[] SIZES_DISABLED = Reply.line("STAT sizes_status disabled");

  private final Conversation conversation;
  private final StatsReport stats;
  private final SlabReport memory;
  private final KeyDump dump;
  private final Runnable startingDump;
  private final Runnable clearing = this::clear;
  private final Runnable answeringStats = this::answerStats;

  /**
   * Makes the commands.
   *
   * @param dump lists keys
   * @param startingDump lets the dump, which was prepared, begin
   */
  ServerCommands(Conversation conversation, Channel channel, KeyDump dump, Runnable startingDump) {
    this.conversation = conversation;
    this.dump = dump;
    this.startingDump = startingDump;
    this.stats = new StatsReport(conversation, channel);
    this.memory = new SlabReport(conversation);
  }

  /** {@code shutdown}: not by this protocol. */
  void shutdown() {
    conversation.reply(NO_SHUTDOWN);
  }

  /** {@code flush_all [delay] [noreply]}. */
  void flushAll() {
    CommandLine line = conversation.line;
    int words = line.split();
    if (words > 3) {
      conversation.reply(Reply.ERROR);
      return;
    }
    conversation.heedNoreply();
    conversation.counters.cmdFlush.increment();
    boolean delayed = words > (conversation.isSilent() ? 2 : 1);
    int seconds = 0;
    if (delayed) {
      Decimal delay = line.number(1, conversation.decimal);
      if (!delay.isSigned()) {
        conversation.reply(Reply.BAD_EXPTIME);
        return;
      }
      seconds = (int) delay.number();
    }
    flushAfter(seconds);
  }

  /** A moment that is over flushes what there is, unless it is older than the server itself. */
  private void flushAfter(int seconds) {
    MemcachedEndpoint endpoint = conversation.endpoint;
    FlushTimer timer = endpoint.flushTimer();
    if (seconds > 0) {
      long nowMillis = endpoint.nowMillis();
      long momentMillis = Exptime.momentMillis(seconds, nowMillis);
      if (momentMillis > nowMillis) {
        timer.flushAfter(momentMillis - nowMillis);
        conversation.reply(Reply.OK);
        return;
      }
      if (momentMillis <= endpoint.context().startedMillis()) {
        timer.cancel();
        conversation.reply(Reply.OK);
        return;
      }
    }
    timer.cancel();
    conversation.onCache(clearing);
  }

  private void clear() {
    conversation.engine().clear();
    conversation.reply(Reply.OK);
  }

  /** {@code stats [what]}: counts all commands before it. */
  void stats() {
    if (conversation.line.split() > 1 && conversation.line.is(1, CACHEDUMP)) {
      cachedump();
      return;
    }
    conversation.inTurn(answeringStats);
  }

  private void answerStats() {
    CommandLine line = conversation.line;
    if (line.count() == 1) {
      stats.general();
      conversation.reply(Reply.END);
      return;
    }
    if (line.is(1, RESET)) {
      conversation.counters.reset();
      conversation.reply(Reply.RESET);
      return;
    }
    if (line.is(1, SETTINGS)) {
      stats.settings();
    } else if (line.is(1, SIZES)) {
      conversation.reply(SIZES_DISABLED);
    } else if (line.is(1, ITEMS)) {
      memory.items();
    } else if (line.is(1, SLABS)) {
      memory.slabs();
    } else if (line.is(1, CONNS)) {
      stats.connection();
    } else {
      conversation.reply(Reply.ERROR);
      return;
    }
    conversation.reply(Reply.END);
  }

  /** {@code stats cachedump class limit}, where limit 0 is none. Needs more than other stats. */
  private void cachedump() {
    CommandLine line = conversation.line;
    if (line.count() < 4) {
      conversation.reply(BAD_LINE);
      return;
    }
    Decimal decimal = conversation.decimal;
    boolean isClass = line.number(2, decimal).isUnsigned();
    long slabClass = decimal.number();
    if (!isClass || !line.number(3, decimal).isUnsigned()) {
      conversation.reply(Reply.BAD_FORMAT);
    } else if (slabClass < 0 || slabClass > CLASS_MAX) {
      conversation.reply(BAD_CLASS);
    } else if (!conversation.isPermitted(Command.LRU_CRAWLER)) {
      conversation.caller.refusal(Command.LRU_CRAWLER.needed(), "stats cachedump");
      conversation.reply(Reply.NOT_PERMITTED);
    } else if (slabClass == 1) {
      dump.beginCachedump(decimal.number());
      startingDump.run();
    } else {
      conversation.reply(Reply.END);
    }
  }

  /** {@code version}. */
  void version() {
    conversation.reply(Reply.line("VERSION " + conversation.endpoint.context().version()));
  }

  /** {@code verbosity level [noreply]}: accepted, since logging is configured elsewhere. */
  void verbosity() {
    CommandLine line = conversation.line;
    int words = line.split();
    if (words < 2 || words > 3) {
      conversation.reply(Reply.ERROR);
      return;
    }
    conversation.heedNoreply();
    boolean valid = line.number(1, conversation.decimal).isUnsigned();
    conversation.reply(valid ? Reply.OK : Reply.BAD_FORMAT);
  }
}

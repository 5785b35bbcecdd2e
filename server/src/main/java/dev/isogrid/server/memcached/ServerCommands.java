package dev.isogrid.server.memcached;

import dev.isogrid.codec.Decimal;
import io.netty.channel.Channel;

/**
 * The commands without a key: flush_all, stats, version and verbosity. For the connection's event
 * loop, or the thread that works for it meanwhile.
 */
final class ServerCommands {
  private static final byte[] VERSION = Reply.line("VERSION " + MemcachedEndpoint.VERSION);
  private static final byte[] RESET = Reply.ascii("reset");
  private static final byte[] CONNS = Reply.ascii("conns");
  private static final byte[] CACHEDUMP = Reply.ascii("cachedump");
  private static final byte[] DETAIL = Reply.ascii("detail");
  private static final byte[] NO_SHUTDOWN = Reply.line("ERROR: shutdown not enabled");
  private static final byte[] BAD_LINE = Reply.line("CLIENT_ERROR bad command line");
  private static final byte[] BAD_CLASS = Reply.line("CLIENT_ERROR Illegal slab id");

  /** The highest class of slabs in memcached. All items here are in the first one. */
  private static final int CLASS_MAX = 63;

  private final Conversation conversation;
  private final StatsGroups stats;
  private final KeyDump dump;
  private final Runnable startingDump;
  private final Flush flush;
  private final Runnable answeringStats = this::answerStats;

  /**
   * Makes the commands.
   *
   * @param dump lists keys
   * @param startingDump starts the prepared dump
   */
  ServerCommands(Conversation conversation, Channel channel, KeyDump dump, Runnable startingDump) {
    this.conversation = conversation;
    this.dump = dump;
    this.startingDump = startingDump;
    this.flush = new Flush(conversation, () -> conversation.reply(Reply.OK));
    this.stats =
        new StatsGroups(
            conversation,
            channel,
            (name, value) -> conversation.reply(Reply.line("STAT " + name + " " + value)));
  }

  /** {@code shutdown}: refused in this protocol. */
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
    flush.after(seconds);
  }

  /** {@code stats [group]}: counts all commands before it. */
  void stats() {
    if (conversation.line.split() > 1 && conversation.line.is(1, CACHEDUMP)) {
      cachedump();
      return;
    }
    conversation.inTurn(answeringStats);
  }

  private void answerStats() {
    CommandLine line = conversation.line;
    if (line.count() > 1 && line.is(1, RESET)) {
      conversation.counters.reset();
      conversation.prefixes.reset();
      conversation.reply(Reply.RESET);
      return;
    }
    if (line.count() > 1 && line.is(1, DETAIL)) {
      detail(line.count() > 2 ? line.text(2) : "");
      return;
    }
    boolean isShown;
    if (line.count() > 1 && line.is(1, CONNS)) {
      stats.connection();
      isShown = true;
    } else {
      isShown = stats.show(line.count() == 1 ? "" : line.text(1));
    }
    conversation.reply(isShown ? Reply.END : Reply.ERROR);
  }

  /**
   * {@code stats detail on|off|dump}. Needs more permissions than other stats, since it shows keys.
   */
  private void detail(String what) {
    if (!conversation.isPermitted(Command.LRU_CRAWLER)) {
      conversation.caller.refusal(Command.LRU_CRAWLER.needed(), "stats detail");
      conversation.reply(Reply.NOT_PERMITTED);
      return;
    }
    PrefixCounts prefixes = conversation.prefixes;
    switch (what) {
      case "on", "off" -> {
        prefixes.count(what.equals("on"));
        conversation.reply(Reply.OK);
      }
      case "dump" -> {
        conversation.reply(prefixes.linesAndEnd());
      }
      default -> conversation.reply(Reply.BAD_DETAIL);
    }
  }

  /**
   * {@code stats cachedump class limit}, where limit 0 means none. Needs more permissions than
   * other stats.
   */
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
    conversation.reply(VERSION);
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

package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import dev.isogrid.codec.Decimal;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.CacheLatencies.Kind;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code ms}: a line, then a block of bytes. For the connection's event loop, or the
 * thread that works for it meanwhile.
 */
final class MetaStorage extends BlockCommand {
  private static final byte[] BAD_MODE = Reply.line("CLIENT_ERROR invalid mode for ms M token");

  private final MetaLine meta;
  private final MetaFlags flags;
  private final KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
  private final StaleStore staleStore = new StaleStore();
  private final Concatenation concatenation;
  private final Runnable removal = this::removeAndReply;

  /** The error for a line whose block is dropped; null if the item is too large. */
  private byte @Nullable [] error;

  private char mode;

  MetaStorage(MetaLine meta) {
    super(meta.conversation);
    this.meta = meta;
    this.flags = meta.flags;
    this.concatenation = new Concatenation(value, itemSize);
  }

  @Override
  Next begin(Command command) {
    conversation.counters.cmdMeta.increment();
    CommandLine line = conversation.line;
    byte[] badKey = meta.takeKey();
    if (badKey != null) {
      conversation.reply(badKey);
      return Next.COMMAND;
    }
    Decimal decimal = conversation.decimal;
    boolean isLength = line.next() && line.number(decimal).isSigned();
    length = (int) decimal.number();
    if (!isLength || length < 0 || length > LENGTH_NUMBER_MAX) {
      conversation.reply(Reply.BAD_FORMAT);
      return Next.COMMAND;
    }
    error = meta.takeFlags();
    mode = flags.mode('S');
    if (error == null && "SEARP".indexOf(mode) < 0) {
      error = BAD_MODE;
    }
    error = error == null ? flags.opaqueError() : error;
    return error != null ? Next.REFUSED_BLOCK : block(flags.clientFlags());
  }

  @Override
  void refuse() {
    byte[] refusal = error;
    if (refusal != null) {
      conversation.reply(refusal);
      return;
    }
    conversation.counters.storeTooLarge.increment();
    conversation.watch.stored("too_large", command(), lifespanMillis(), 0);
    if (mode == 'S') { // an older value must not stay
      conversation.onKey(Kind.REMOVE, removal);
    } else {
      conversation.reply(Reply.TOO_LARGE);
    }
  }

  private void removeAndReply() {
    conversation.write(write.remove());
    conversation.reply(Reply.TOO_LARGE);
  }

  @Override
  void store() {
    byte[] code =
        switch (mode) {
          case 'A' -> concatenate(true);
          case 'P' -> concatenate(false);
          default -> flags.has('I') && flags.has('C') && mode != 'E' ? storeStale() : put();
        };
    if (conversation.watch.wantsStores()) {
      conversation.watch.stored(status(code), command(), lifespanMillis(), value.length());
    }
    if (Arrays.equals(code, MetaReply.HD)) {
      conversation.counters.totalItems.increment();
      if (flags.has('q')) {
        return;
      }
    } else {
      meta.reply.cas(0);
    }
    meta.reply.begin(code).flags("c").send();
  }

  private static String status(byte[] code) {
    return switch ((char) code[0]) {
      case 'H' -> "stored";
      case 'E' -> "exists";
      default -> code[1] == 'F' ? "not_found" : "not_stored";
    };
  }

  private Command command() {
    return switch (mode) {
      case 'A' -> Command.APPEND;
      case 'P' -> Command.PREPEND;
      case 'E' -> Command.ADD;
      case 'R' -> flags.has('C') ? Command.CAS : Command.REPLACE;
      default -> flags.has('C') ? Command.CAS : Command.SET;
    };
  }

  private byte[] put() {
    KeyWrite<BinaryKey, Bytes> put =
        write
            .put(conversation.form().encoded(value))
            .expiry(lifespanMillis(), Expiry.UNLIMITED)
            .attributes(flags.clientFlags(), null);
    switch (mode) {
      case 'E' -> put.when(KeyWrite.Condition.ABSENT);
      case 'R' -> put.when(KeyWrite.Condition.PRESENT);
      default -> {}
    }
    boolean isCompared = flags.has('C') && mode != 'E';
    write(isCompared ? put.whenVersion(conversation.versionOf(flags.cas())) : put);
    KeyWrite.Outcome outcome = write.outcome();
    if (isCompared) {
      count(outcome);
    }
    return switch (outcome) {
      case DONE -> MetaReply.HD;
      case KEY_PRESENT -> MetaReply.NS;
      case KEY_ABSENT -> isCompared ? MetaReply.NF : MetaReply.NS;
      case OTHER_VERSION -> MetaReply.EX;
    };
  }

  private void count(KeyWrite.Outcome outcome) {
    Counters counters = conversation.counters;
    switch (outcome) {
      case DONE -> counters.casHits.increment();
      case KEY_ABSENT -> counters.casMisses.increment();
      case KEY_PRESENT, OTHER_VERSION -> counters.casBadval.increment();
    }
  }

  private long lifespanMillis() {
    return flags.lifespanMillis(conversation.endpoint.nowMillis());
  }

  private void write(Mutation<BinaryKey, Bytes> mutation) {
    long version = conversation.write(mutation);
    meta.reply.cas(conversation.casOf(version));
    conversation.noteUse(version, false);
  }

  private byte[] concatenate(boolean append) {
    long nowMillis = conversation.endpoint.nowMillis();
    write(
        concatenation.to(
            append, nowMillis, conversation.form(), conversation.versionOf(flags.cas())));
    return switch (concatenation.outcome()) {
      case DONE -> MetaReply.HD;
      case NO_ENTRY, TOO_LARGE -> MetaReply.NS;
      case OTHER_VERSION -> MetaReply.EX;
    };
  }

  private byte[] storeStale() {
    write(staleStore);
    count(staleStore.outcome);
    return switch (staleStore.outcome) {
      case DONE, KEY_PRESENT -> MetaReply.HD;
      case KEY_ABSENT -> MetaReply.NF;
      case OTHER_VERSION -> MetaReply.EX;
    };
  }

  /**
   * Stores the value except over a later cas. With a too early cas, the new value is stale and has
   * the remaining time of the old one. A client with the order to renew it keeps the order.
   */
  private final class StaleStore implements Mutation<BinaryKey, Bytes> {
    private KeyWrite.Outcome outcome = KeyWrite.Outcome.DONE;

    @Override
    public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
      if (!current.isPresent()) {
        outcome = KeyWrite.Outcome.KEY_ABSENT;
        return;
      }
      long expected = conversation.versionOf(flags.cas());
      int order = Long.compareUnsigned(expected, current.version());
      boolean isStored = expected != 0 && order <= 0;
      outcome = isStored ? KeyWrite.Outcome.DONE : KeyWrite.Outcome.OTHER_VERSION;
      if (isStored) {
        boolean isStale = order < 0;
        int won = RecacheMark.of(current.mediaType()) & RecacheMark.WON;
        StoredForm form = conversation.form();
        effect.store(
            form.encoded(value),
            isStale
                ? current.remainingLifespanMillis(conversation.endpoint.nowMillis())
                : lifespanMillis(),
            Expiry.UNLIMITED,
            flags.clientFlags(),
            RecacheMark.with(
                isStale ? RecacheMark.STALE | won : RecacheMark.NONE, null, form.valueMediaType()));
      }
    }
  }
}

package dev.isogrid.server.memcached;

import dev.isogrid.api.Expiry;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.server.net.CacheLatencies.Kind;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code mg}: answers directly from the container. It writes only if flags request it
 * or a client gets the order to renew a stale entry. For the connection's event loop, or the thread
 * that works for it meanwhile.
 */
final class MetaRetrieval implements EntryReader<BinaryKey, Bytes>, Mutation<BinaryKey, Bytes> {
  private static final String SHOWN = "cfhlst";

  private final MetaLine meta;
  private final Conversation conversation;
  private final MetaFlags flags;
  private final Runnable reading = this::read;
  private final Runnable writing = this::write;

  private int takenBytes;
  private int valueLength;
  private long shownVersion;

  /** Whether the client gets the order to renew the entry, which is a write. */
  private boolean isWinning;

  /** Whether this client may write. */
  private boolean mayWrite;

  private boolean wasThere;

  /** The value of a written entry, in the form for clients. */
  private @Nullable Bytes written;

  private int mark;

  MetaRetrieval(MetaLine meta) {
    this.meta = meta;
    this.conversation = meta.conversation;
    this.flags = meta.flags;
  }

  /** {@code mg key flags}; the line is at its command. */
  void begin() {
    byte[] error = meta.takeKey();
    error = error == null ? meta.takeFlags() : error;
    error = error == null ? flags.opaqueError() : error;
    mayWrite = conversation.isPermitted(Command.GAT);
    if (error == null && !mayWrite && (flags.has('T') || flags.has('N'))) {
      error = Reply.NOT_PERMITTED;
    }
    if (error != null) {
      conversation.reply(error);
      return;
    }
    if (flags.asksForUse()) {
      conversation.endpoint.recency().begin(conversation.endpoint.nowMillis());
    }
    boolean isTouch = flags.has('T');
    conversation.onKey(isTouch ? Kind.OTHER : Kind.GET, isTouch ? writing : reading);
  }

  private void read() {
    takenBytes = 0;
    isWinning = false;
    boolean found;
    try {
      found = conversation.read(this);
    } catch (WouldWaitException later) {
      takeBack();
      throw later;
    }
    if (found ? isWinning : flags.has('N')) {
      takeBack();
      goOnWriting();
      return;
    }
    end(found);
  }

  private void goOnWriting() {
    if (conversation.mustWait(false)) {
      conversation.postpone(writing);
      return;
    }
    try {
      write();
    } catch (WouldWaitException _) {
      conversation.postpone(writing);
    }
  }

  /** Keeps the reply; without an entry, the result of the first read was not valid. */
  private void end(boolean found) {
    if (!found) {
      takeBack();
      if (!flags.has('q')) {
        meta.send(MetaReply.EN);
      }
    }
    conversation.output.commit();
    conversation.watch.fetched(found, valueLength);
    if (found) {
      conversation.noteUse(shownVersion, true);
    }
    Counters counters = conversation.counters;
    (found ? counters.getHits : counters.getMisses).increment();
    if (flags.has('T')) {
      (found ? counters.touchHits : counters.touchMisses).increment();
    }
  }

  private void takeBack() {
    if (takenBytes > 0) {
      conversation.output.takeBack(takenBytes);
      takenBytes = 0;
    }
  }

  /** Replies with an entry, unless a write is needed. The last call counts. */
  @Override
  public void read(EntryView<BinaryKey, Bytes> entry) {
    takeBack();
    mark = RecacheMark.of(entry.mediaType());
    applyTimes(entry);
    if (!isWinning) {
      show(entry.version(), entry.clientFlags(), valueOf(entry));
    }
  }

  private void applyTimes(EntryView<BinaryKey, Bytes> entry) {
    long nowMillis = conversation.endpoint.nowMillis();
    flags.applyTimes(entry.remainingLifespanMillis(nowMillis), false, nowMillis);
    if (flags.asksForUse()) {
      lookAtUse(entry, nowMillis);
    }
    boolean isWanted = (mark & RecacheMark.STALE) != 0 || flags.isDue();
    isWinning = mayWrite && isWanted && (mark & RecacheMark.WON) == 0;
  }

  private void lookAtUse(EntryView<BinaryKey, Bytes> entry, long nowMillis) {
    Recency recency = conversation.endpoint.recency();
    int hash = conversation.key.hash();
    long version = entry.version();
    long createdMillis = entry.isMortal() ? entry.createdMillis() : -1;
    meta.reply.use(
        recency.wasRead(hash, version),
        recency.idleSeconds(hash, version, createdMillis, nowMillis));
  }

  private Bytes valueOf(EntryView<BinaryKey, Bytes> entry) {
    return conversation.form().decoded(entry.value());
  }

  private void show(long version, int clientFlags, Bytes value) {
    valueLength = value.length();
    shownVersion = version;
    MetaReply reply =
        meta.reply
            .cas(conversation.casOf(version))
            .entry(value.length(), clientFlags, flags.leftShownMillis());
    boolean withValue = flags.has('v');
    (withValue ? reply.beginValue(value.length()) : reply.begin(MetaReply.HD)).flags(SHOWN);
    if (!isWinning && (mark & RecacheMark.WON) != 0) {
      reply.letter('Z');
    }
    if ((mark & RecacheMark.STALE) != 0) {
      reply.letter('X');
    }
    if (isWinning) {
      reply.letter('W');
    }
    takenBytes = withValue ? reply.write(value) : reply.write();
  }

  // ---- the write

  private int clientFlags;

  private void write() {
    takenBytes = 0;
    long version = conversation.write(this);
    Bytes value = written;
    if (value != null) {
      written = null;
      show(version, clientFlags, value);
    }
    end(wasThere || value != null);
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    takeBack();
    written = null;
    wasThere = current.isPresent();
    if (wasThere) {
      change(current, effect);
    } else if (flags.has('N')) {
      make(effect);
    }
  }

  private void make(Effect<Bytes> effect) {
    mark = RecacheMark.NONE;
    isWinning = true;
    meta.reply.use(false, 0);
    clientFlags = 0;
    Bytes empty = Bytes.of(new byte[0]);
    flags.applyTimes(Expiry.UNLIMITED, true, conversation.endpoint.nowMillis());
    written = empty;
    effect.store(
        conversation.form().encoded(empty),
        flags.leftMillis(),
        Expiry.UNLIMITED,
        0,
        marked(RecacheMark.WON, null));
  }

  private @Nullable String marked(int mark, @Nullable String mediaType) {
    return RecacheMark.with(mark, mediaType, conversation.form().valueMediaType());
  }

  private void change(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    mark = RecacheMark.of(current.mediaType());
    applyTimes(current);
    clientFlags = current.clientFlags();
    if (isWinning) { // the value is copied: it is to be written to where it is read from
      byte[] value = current.value().toByteArray();
      String mediaType = marked(mark | RecacheMark.WON, current.mediaType());
      effect.store(
          Bytes.of(value), flags.leftMillis(), current.maxIdleMillis(), clientFlags, mediaType);
      written = conversation.form().decoded(Bytes.of(value));
      return;
    }
    if (flags.has('T')) {
      effect.touch(flags.leftMillis(), current.maxIdleMillis());
    }
    show(current.version(), clientFlags, valueOf(current));
  }
}

package dev.isogrid.server.memcached;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.security.Access;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Permission;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Segment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the commands of one connection have in common: the line at hand, the key, the cache and the
 * way to reply. For the connection's event loop, or the thread that works for it meanwhile.
 */
final class Conversation {
  /** The longest key. */
  static final int KEY_LENGTH_MAX = 250;

  final MemcachedEndpoint endpoint;
  final Counters counters;
  final Output output;
  final CommandLine line = new CommandLine();
  final Caller caller;
  final BinaryKey key = new BinaryKey();
  final Decimal decimal = new Decimal();

  /** Whether the command at hand said {@code noreply}. */
  private boolean silent;

  /** Whether this thread may wait for other nodes. */
  private boolean mayBlock;

  /** The commands of the connection that are under way. */
  private final AsideCommands aside;

  /** What is to be done where it may block. */
  private @Nullable Runnable postponed;

  /** Whether what is postponed waits for all commands before it, and all after it for it. */
  private boolean isAlone;

  private @Nullable CacheEngine<BinaryKey, Bytes> engine;
  private @Nullable EntryView<BinaryKey, Bytes> view;
  private StoredForm form = StoredForm.AS_IS;

  /** Where in a version the number of the segment goes: the upper bits of its sequence. */
  private int segmentShift;

  /** Whether the key at hand is as the client sent it. */
  private boolean isKeyAsSent;

  private Access access = Access.FULL;

  /** Whether nobody has to log in. */
  private final boolean isUnrestricted;

  Conversation(MemcachedEndpoint endpoint, Output output, Caller caller, AsideCommands aside) {
    this.aside = aside;
    this.caller = caller;
    this.isUnrestricted = caller.isUnrestricted();
    this.endpoint = endpoint;
    this.counters = endpoint.counters();
    this.output = output;
  }

  /** The cache; looked up again if the one known was removed. */
  CacheEngine<BinaryKey, Bytes> engine() {
    CacheEngine<BinaryKey, Bytes> known = engine;
    return known != null && !known.isClosed() ? known : lookUpEngine();
  }

  private CacheEngine<BinaryKey, Bytes> lookUpEngine() {
    CacheEngine<BinaryKey, Bytes> found = endpoint.engine();
    form = StoredForm.of(found.config(), endpoint.context().transcoder());
    view = found.newView();
    int segmentDigits = Integer.SIZE - Integer.numberOfLeadingZeros(found.segmentCount() - 1);
    segmentShift = Long.bitCount(Segment.SEQUENCE_MAX) - segmentDigits;
    access = caller.cache(found.name(), found.config());
    engine = found;
    return found;
  }

  /** Whether the client has to log in before anything else. */
  boolean mustLogIn() {
    return !isUnrestricted && !caller.server().allows(Permission.LOGGED_IN);
  }

  /** Whether the caller may execute a command. */
  boolean isPermitted(Command command) {
    if (isUnrestricted) {
      return true;
    }
    int needed = command.needed();
    if (needed == Permission.LOGGED_IN || needed == Permission.PUBLIC) {
      return caller.server().allows(needed);
    }
    engine(); // which finds the access to it
    return access.allows(needed);
  }

  /** The window for reads of {@link #engine}, which must have been called before. */
  EntryView<BinaryKey, Bytes> view() {
    return Objects.requireNonNull(view);
  }

  /**
   * Does an operation on the key at hand: now, or where it may block if it may have to wait, for
   * another node or for an earlier command about the key.
   *
   * @param isRead whether it only reads
   */
  void onKey(boolean isRead, Runnable operation) {
    bringKeyIntoForm();
    if (mustWait(isRead)) {
      postpone(operation);
    } else {
      operation.run();
    }
  }

  /** Whether an operation on the key at hand may have to wait, and this thread must not. */
  boolean mustWait(boolean isRead) {
    CacheEngine<BinaryKey, Bytes> cache = engine();
    return !mayBlock
        && (aside.has(key.hash()) || (cache.mayWait() && cache.mayWait(key.hash(), isRead)));
  }

  /** Does an operation when all commands before it are done. */
  void inTurn(Runnable operation) {
    if (mayBlock || aside.isEmpty()) {
      operation.run();
    } else {
      postponeAlone(operation);
    }
  }

  /** Does an operation on the whole cache where it may block, since it takes long. */
  void onCache(Runnable operation) {
    if (mayBlock) {
      operation.run();
    } else {
      postponeAlone(operation);
    }
  }

  /** Whether this thread may take its time. */
  boolean mayBlock() {
    return mayBlock;
  }

  /**
   * Sets what is to be done where it may block, with the key at hand and no other one. What comes
   * after it need not wait for it, unless it is about the same key.
   */
  void postpone(Runnable operation) {
    postponed = operation;
    isAlone = false;
  }

  /** Sets what is to be done where it may block, after all before it and before all after it. */
  void postponeAlone(Runnable operation) {
    postponed = operation;
    isAlone = true;
  }

  /** Whether something is to be done where it may block. */
  boolean isPostponed() {
    return postponed != null;
  }

  /** Whether what is postponed waits for all commands before it, and all after it for it. */
  boolean isAlone() {
    return isAlone;
  }

  /** Does what was postponed, on a thread that may block. */
  void doPostponed() {
    mayBlock = true;
    try {
      Objects.requireNonNull(postponed).run();
    } finally {
      mayBlock = false;
    }
  }

  /** Ends what was postponed: passes its replies on. On the event loop. */
  void endPostponed() {
    postponed = null;
    output.passOn();
  }

  /** Whether a numbered word is a key; if so it becomes the key at hand. */
  boolean takeKey(int word) {
    int length = line.length(word);
    if (length > KEY_LENGTH_MAX) {
      return false;
    }
    setKey(line.start(word), length);
    return true;
  }

  /** Makes a part of the line the key at hand, as it was sent until {@link #bringKeyIntoForm}. */
  void setKey(int start, int length) {
    setKey(line.bytes(), start, length);
  }

  /** Makes a part of an array, which must stay as it is, the key at hand as it was sent. */
  void setKey(byte[] bytes, int start, int length) {
    key.set(bytes, start, length);
    isKeyAsSent = true;
  }

  /** Makes the key at hand what the cache keeps. A second call has no effect. */
  void bringKeyIntoForm() {
    engine();
    if (isKeyAsSent && form.convertsKeys()) {
      byte[] stored = form.key(key.toByteArray());
      key.set(stored, 0, stored.length);
    }
    isKeyAsSent = false;
  }

  /** How the cache of {@link #engine}, which must have been called before, keeps values. */
  StoredForm form() {
    return form;
  }

  /**
   * The cas unique of a version of the key at hand. Versions are unique in a segment; the segment's
   * number in their upper bits makes them unique in the server as long as a segment had fewer than
   * 2^31 writes, with 256 segments. It is its own inverse, and 0 stands for none.
   */
  long casOf(long version) {
    return version == 0 ? 0 : version ^ segmentBits();
  }

  /** The version of the key at hand that a cas unique stands for; 0 for none. */
  long versionOf(long casUnique) {
    return casOf(casUnique);
  }

  private long segmentBits() {
    CacheEngine<BinaryKey, Bytes> cache = engine();
    return (long) cache.segmentOf(key.hash()) << segmentShift;
  }

  /** Begins a command that is not silent. */
  void begin() {
    silent = false;
  }

  /** Makes the command silent if its last numbered word is {@code noreply}. */
  void heedNoreply() {
    silent = line.endsWithNoreply();
  }

  boolean isSilent() {
    return silent;
  }

  /** Replies, unless the command is silent. */
  void reply(byte[] text) {
    if (!silent) {
      output.append(text);
    }
  }

  /** Replies with a number, unless the command is silent. */
  void replyUnsigned(long number) {
    if (!silent) {
      output.appendUnsigned(number);
      output.append(Reply.LINE_END);
    }
  }

  /** Reports a failure on the server's side. */
  void fail(RuntimeException failure) {
    if (failure instanceof CacheFullException full) {
      failSinceFull(full);
      return;
    }
    endpoint.context().problems().report("memcached: command failed", failure::toString);
    reply(Reply.serverError(failure));
  }

  /** Clients know memcached's own words for this; what the limit is, the log tells. */
  private void failSinceFull(CacheFullException full) {
    counters.storeNoMemory.increment();
    endpoint.context().traffic().writeRefused();
    endpoint.context().problems().report("memcached: cache full", full::getMessage);
    reply(Reply.OUT_OF_MEMORY);
  }
}

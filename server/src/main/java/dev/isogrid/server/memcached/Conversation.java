package dev.isogrid.server.memcached;

import dev.isogrid.api.CacheFullException;
import dev.isogrid.api.GridException;
import dev.isogrid.codec.Decimal;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.server.net.CacheLatencies;
import dev.isogrid.server.net.RequestSpans;
import dev.isogrid.server.security.Access;
import dev.isogrid.server.security.Caller;
import dev.isogrid.server.security.Permission;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import dev.isogrid.store.Segment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The common state of the commands of one connection: the current line, the key, the cache and the
 * output. For the connection's event loop, or the thread that works for it meanwhile.
 */
final class Conversation {
  /** The longest key. */
  static final int KEY_LENGTH_MAX = 250;

  final MemcachedEndpoint endpoint;
  final Counters counters;
  final PrefixCounts prefixes;
  final Output output;
  final CommandLine line = new CommandLine();
  final Caller caller;
  final BinaryKey key = new BinaryKey();
  final Decimal decimal = new Decimal();
  final WatchLines watch;

  /** Whether the current command has {@code noreply}. */
  private boolean silent;

  /** Whether this thread may wait for other nodes. */
  private boolean mayBlock;

  /** The commands of the connection in progress. */
  private final AsideCommands aside;

  /** Times the operations on keys. */
  final OperationTimer timer;

  /** The operation that was postponed to a thread that may block. */
  private @Nullable Runnable postponed;

  /**
   * Whether the postponed operation waits for all commands before it, and all after it wait for it.
   */
  private boolean isAlone;

  private @Nullable CacheEngine<BinaryKey, Bytes> engine;
  private @Nullable EntryView<BinaryKey, Bytes> view;
  private StoredForm form = StoredForm.AS_IS;

  /** The version of the ignored caches when the cache was looked up. */
  private long ignoredVersion;

  /** The position of the segment's number in a version: the upper bits of its sequence. */
  private int segmentShift;

  /** Whether the current key is in the form that the client sent. */
  private boolean isKeyAsSent;

  private Access access = Access.FULL;

  /** Whether the server has no logins. */
  private final boolean isUnrestricted;

  Conversation(MemcachedEndpoint endpoint, Output output, Caller caller, AsideCommands aside) {
    this.aside = aside;
    this.caller = caller;
    this.isUnrestricted = caller.isUnrestricted();
    this.endpoint = endpoint;
    this.counters = endpoint.counters();
    this.prefixes = endpoint.prefixes();
    this.output = output;
    this.watch = new WatchLines(this);
    this.timer =
        new OperationTimer(
            endpoint.context().node().env().nanoClock(),
            CommandSpans.of(endpoint.context(), caller),
            endpoint.context().traffic().slowLog());
  }

  /** The cache; looked up again if the one known was removed, or operators changed access to it. */
  CacheEngine<BinaryKey, Bytes> engine() {
    CacheEngine<BinaryKey, Bytes> known = engine;
    boolean isUsable =
        known != null && !known.isClosed() && ignoredVersion == endpoint.ignoredVersion();
    return known != null && isUsable ? known : lookUpEngine();
  }

  private CacheEngine<BinaryKey, Bytes> lookUpEngine() {
    long version = endpoint.ignoredVersion();
    CacheEngine<BinaryKey, Bytes> found = endpoint.engine();
    ignoredVersion = version;
    form = StoredForm.of(found.config(), endpoint.context().transcoder());
    view = found.newView();
    int segmentDigits = Integer.SIZE - Integer.numberOfLeadingZeros(found.segmentCount() - 1);
    segmentShift = Long.bitCount(Segment.SEQUENCE_MAX) - segmentDigits;
    access = caller.cache(found.name(), found.config());
    timer.count(found.name(), endpoint.context().traffic().latencies().of(found));
    engine = found;
    return found;
  }

  /** Whether the client must log in first. */
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
   * Executes an operation on the current key: at once, or on a thread that may block if it may have
   * to wait, for another node or for an earlier command on the key.
   *
   * @param kind the kind for its latency; an operation of kind GET only reads
   */
  void onKey(CacheLatencies.Kind kind, Runnable operation) {
    bringKeyIntoForm();
    timer.drop();
    timer.begin(kind);
    if (mustWait(kind == CacheLatencies.Kind.GET)) {
      postpone(operation);
      return;
    }
    try {
      operation.run();
      if (postponed == null) {
        timer.end(key);
      }
    } catch (WouldWaitException _) {
      postpone(operation);
    }
  }

  /**
   * As {@link #onKey}, for an operation that stores a value by {@link Block#storeBy}. The value is
   * dropped unless the operation is postponed.
   */
  void onKey(Block value, Runnable storing) {
    try {
      onKey(CacheLatencies.Kind.PUT, storing);
    } finally {
      if (postponed == null) {
        value.forget();
      }
    }
  }

  /**
   * Reads the entry of the current key; counts as a hit or a miss.
   *
   * @throws WouldWaitException if that would have to wait and this thread must not; then the caller
   *     must undo the effects of the reader
   */
  boolean read(EntryReader<BinaryKey, Bytes> reader) {
    CacheEngine<BinaryKey, Bytes> cache = engine();
    return cache.read(key, key.hash(), view(), reader, mayBlock);
  }

  /**
   * Writes the entry of the current key.
   *
   * @return its version, or 0 if that did not change
   * @throws WouldWaitException if that would have to wait and this thread must not
   */
  long write(Mutation<BinaryKey, Bytes> mutation) {
    return engine().write(key, key.hash(), mutation, mayBlock);
  }

  /** Whether an operation on the current key may have to wait, and this thread must not. */
  boolean mustWait(boolean isRead) {
    CacheEngine<BinaryKey, Bytes> cache = engine();
    return !mayBlock
        && (aside.has(key.hash()) || (cache.mayWait() && cache.mayWait(key.hash(), isRead)));
  }

  /** Executes an operation when all commands before it are done. */
  void inTurn(Runnable operation) {
    if (mayBlock || aside.isEmpty()) {
      operation.run();
    } else {
      postponeAlone(operation);
    }
  }

  /** Executes an operation on the whole cache on a thread that may block, since it takes long. */
  void onCache(Runnable operation) {
    if (mayBlock) {
      operation.run();
    } else {
      postponeAlone(operation);
    }
  }

  /** Whether this thread may block. */
  boolean mayBlock() {
    return mayBlock;
  }

  /**
   * Postpones an operation on the current key only to a thread that may block. Later commands need
   * not wait for it, unless they are on the same key.
   */
  void postpone(Runnable operation) {
    postponed = operation;
    isAlone = false;
  }

  /**
   * Postpones an operation to a thread that may block, after all commands before it and before all
   * after it.
   */
  void postponeAlone(Runnable operation) {
    postponed = operation;
    isAlone = true;
  }

  /** Whether an operation is postponed. */
  boolean isPostponed() {
    return postponed != null;
  }

  /**
   * Whether the postponed operation waits for all commands before it, and all after it wait for it.
   */
  boolean isAlone() {
    return isAlone;
  }

  /** Executes the postponed operation, on a thread that may block. */
  void doPostponed() {
    mayBlock = true;
    try (RequestSpans.Scope _ = timer.enter()) {
      Objects.requireNonNull(postponed).run();
      timer.end(key);
    } finally {
      mayBlock = false;
    }
  }

  /** Ends the postponed operation: passes its replies on. On the event loop. */
  void endPostponed() {
    postponed = null;
    output.passOn();
  }

  /** Makes a numbered word the current key; returns false if it is not a valid key. */
  boolean takeKey(int word) {
    int length = line.length(word);
    if (length > KEY_LENGTH_MAX) {
      return false;
    }
    setKey(line.start(word), length);
    return true;
  }

  /** Makes a part of the line the current key, in the sent form until {@link #bringKeyIntoForm}. */
  void setKey(int start, int length) {
    setKey(line.bytes(), start, length);
  }

  /** Makes a part of an array, which must not change, the current key in the sent form. */
  void setKey(byte[] bytes, int start, int length) {
    key.set(bytes, start, length);
    isKeyAsSent = true;
  }

  /** Converts the current key to the stored form. A second call has no effect. */
  void bringKeyIntoForm() {
    engine();
    if (isKeyAsSent && form.convertsKeys()) {
      byte[] stored = form.key(key.toByteArray());
      key.set(stored, 0, stored.length);
    }
    isKeyAsSent = false;
  }

  /** Notes a use of the current key, if uses are recorded. */
  void noteUse(long version, boolean isRead) {
    Recency recency = endpoint.recency();
    if (recency.isOn()) {
      recency.note(key.hash(), version, isRead, endpoint.nowMillis());
    }
  }

  /** Whether the current key is in the sent form, and not in the stored one. */
  boolean isKeyAsSent() {
    return isKeyAsSent;
  }

  /** The number of the connection. */
  int connection() {
    return aside.connection();
  }

  /**
   * The stored form of values in the cache of {@link #engine}, which must have been called before.
   */
  StoredForm form() {
    return form;
  }

  /**
   * The cas unique of a version of the current key. Versions are unique in a segment; the segment's
   * number in their upper bits makes them unique in the server as long as a segment had fewer than
   * 2^31 writes, with 256 segments. It is its own inverse, and 0 stands for none.
   */
  long casOf(long version) {
    return version == 0 ? 0 : version ^ segmentBits();
  }

  /** The version of the current key for a cas unique; 0 for none. */
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

  /**
   * Logs and counts a failure on the server's side, which the caller must answer.
   *
   * @return whether the cache is full: clients know memcached's own words for that
   */
  boolean report(GridException failure) {
    timer.fail(key, failure);
    if (!(failure instanceof CacheFullException full)) {
      endpoint.context().problems().report("memcached: command failed", failure::toString);
      return false;
    }
    counters.storeNoMemory.increment();
    endpoint.context().traffic().writeRefused();
    endpoint.context().problems().report("memcached: cache full", full::getMessage);
    return true;
  }
}

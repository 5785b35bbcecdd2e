package dev.isogrid.server.hotrod;

import dev.isogrid.engine.KeyWrite;
import dev.isogrid.engine.PendingWrite;
import dev.isogrid.engine.WouldWaitException;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Segment;
import dev.isogrid.store.ValueReader;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The operations on one key. Not thread-safe; allocates nothing unless it has to convert. */
final class KeyOperations {
  private final Request request;
  private final Reply reply;
  private final KeyScratch keys;
  private final ValueWrite writes;

  /** The hash of the last request's key. */
  private int hash;

  private final Repetition repetition;
  private final boolean mayBlock;
  private final EntryReply entryReply;
  private final ValueReply valueReply;
  private final LongConversion longConversion = new LongConversion();

  /** The write of {@link #tryBegin}, until its outcome is taken. */
  private @Nullable PendingWrite begun;

  /** Whether the client may repeat the begun write. */
  private boolean isOnce;

  // tidy: shared with the operations of other kinds
  KeyOperations(
      Request request,
      Reply reply,
      KeyScratch keys,
      ValueWrite writes,
      Repetition repetition,
      boolean mayBlock) {
    this.request = request;
    this.reply = reply;
    this.keys = keys;
    this.writes = writes;
    this.repetition = repetition;
    this.mayBlock = mayBlock;
    this.entryReply = new EntryReply(request, reply);
    this.valueReply = new ValueReply(reply);
  }

  /** The hash of the key of the last request here. */
  int hash() {
    return hash;
  }

  /**
   * Executes get, getWithVersion, getWithMetadata and containsKey.
   *
   * @return false if it may have to wait and this must not; then nothing was done
   */
  boolean read(CacheHandle cache) {
    BinaryKey key = keys.key(request.key, cache, request.keyMediaType());
    hash = key.hash();
    if (cache.mayWait && !mayBlock && cache.engine.mayWait(key.hash(), true)) {
      return false;
    }
    String requested = request.valueMediaType();
    boolean isConverted = cache.values.toRequested(requested) != null;
    if (isConverted
        && !mayBlock
        && request.operation != Opcodes.CONTAINS_KEY
        && longConversion.isOf(key, cache)) {
      throw WouldWaitException.instance();
    }
    reply.begin(request, cache);
    Object told =
        request.operation == Opcodes.GET && !isConverted
            ? cache.engine.tryReadValue(key, key.hash(), valueReply)
            : Segment.unclear();
    boolean found = Segment.isUnclear(told) ? readEntry(cache, key, requested) : told != null;
    if (!found) {
      reply.rewind();
      reply.status(Statuses.NOT_FOUND);
    }
    reply.end();
    return true;
  }

  private boolean readEntry(CacheHandle cache, BinaryKey key, @Nullable String requested) {
    entryReply.of(cache, requested);
    return request.operation == Opcodes.CONTAINS_KEY
        ? cache.engine.peek(key, key.hash(), cache.view, entryReply, mayBlock)
        : cache.engine.read(key, key.hash(), cache.view, entryReply, mayBlock);
  }

  /** Appends the value of a small entry as the complete body of the reply. */
  private static final class ValueReply extends ValueReader<Boolean> {
    /** The usual size of values. */
    private static final int ROOM_BYTES = 512;

    private final Reply reply;

    ValueReply(Reply reply) {
      super(ROOM_BYTES);
      this.reply = reply;
    }

    @Override
    protected boolean take(MemorySegment memory, long at, int length) {
      reply.rewind();
      reply.bytes(memory, at, length);
      return true;
    }

    @Override
    protected Boolean taken() {
      return true;
    }

    @Override
    public Boolean read(byte[] array, int offset, int length) {
      reply.rewind();
      reply.bytes(array, offset, length);
      return true;
    }
  }

  /**
   * Executes put, putIfAbsent, replace, remove and their versioned forms.
   *
   * @return false if it may have to wait and this must not; then nothing was done
   */
  boolean write(CacheHandle cache) {
    BinaryKey key = keys.key(request.key, cache, request.keyMediaType());
    hash = key.hash();
    if (cache.mayWait && !mayBlock && cache.engine.mayWait(key.hash(), false)) {
      return false;
    }
    if (!mayBlock && begun == null && hasLongConversion(cache)) {
      throw WouldWaitException.instance();
    }
    if (repetition.isWanted()) {
      return writeOnce(cache, key);
    }
    write(cache, key, mutation(cache));
    reply.end();
    return true;
  }

  private boolean hasLongConversion(CacheHandle cache) {
    return switch (request.operation) {
      case Opcodes.REMOVE, Opcodes.REMOVE_IF_UNMODIFIED -> false;
      default -> LongConversion.isOf(request, cache);
    };
  }

  /** Executes a write that its client may repeat. */
  private boolean writeOnce(CacheHandle cache, BinaryKey key) {
    Repetition.Verdict verdict = begun == null ? beginOnce(cache) : Repetition.Verdict.EXECUTE;
    if (verdict == Repetition.Verdict.EXECUTE) {
      try {
        write(cache, key, mutation(cache).of(repetition));
      } catch (RuntimeException failure) {
        repetition.failed(failure);
        throw failure;
      }
      repetition.ending();
      reply.end();
    }
    return verdict != Repetition.Verdict.WAIT;
  }

  private Repetition.Verdict beginOnce(CacheHandle cache) {
    boolean outlives = !cache.engine.isClustered() && cache.engine.config().fileStore() != null;
    return repetition.begin(cache, outlives, cache.engine.timeoutMillis());
  }

  /**
   * Begins a write that other nodes decide on, without a thread that waits for them. Nothing is
   * replied; {@link #write} does that, once {@code whenDone} was called.
   *
   * @param whenDone called once, by any thread; must be short and must not block
   * @return false if the write has to be done by a thread that may block; then nothing was done
   */
  boolean tryBegin(CacheHandle cache, Runnable whenDone) {
    if (hasLongConversion(cache)) {
      return false;
    }
    BinaryKey key = keys.key(request.key, cache, request.keyMediaType());
    hash = key.hash();
    KeyWrite<BinaryKey, Bytes> write = mutation(cache).readingPrevious(previousReader(cache));
    isOnce = repetition.isWanted();
    begun =
        isOnce
            ? tryBeginOnce(cache, key, write, whenDone)
            : cache.engine.tryBegin(key, hash, write, whenDone);
    return begun != null;
  }

  /** Begins a write that its client may repeat, unless this is a repetition. */
  private @Nullable PendingWrite tryBeginOnce(
      CacheHandle cache, BinaryKey key, KeyWrite<BinaryKey, Bytes> write, Runnable whenDone) {
    if (!repetition.tryBegin()) {
      return null;
    }
    PendingWrite pending = null;
    try {
      pending = cache.engine.tryBegin(key, hash, write.of(repetition), whenDone);
    } finally {
      if (pending == null) {
        repetition.cancel();
      }
    }
    return pending;
  }

  /** Forgets the write of {@link #tryBegin}, if there is one whose outcome was not taken. */
  void release() {
    if (begun != null && isOnce) {
      repetition.endUnknown();
    }
    begun = null;
  }

  private @Nullable EntryReply previousReader(CacheHandle cache) {
    return request.wantsPrevious() ? entryReply.of(cache, request.valueMediaType()) : null;
  }

  private void write(CacheHandle cache, BinaryKey key, KeyWrite<BinaryKey, Bytes> write) {
    boolean wantsPrevious = request.wantsPrevious();
    write.readingPrevious(previousReader(cache));
    reply.begin(request, cache);
    PendingWrite pending = begun;
    begun = null;
    if (pending == null) {
      cache.engine.write(key, key.hash(), write, mayBlock);
    } else {
      cache.engine.finish(pending, key, write);
    }
    if (wantsPrevious && !write.existed()) {
      reply.rewind(); // an earlier attempt of the write may have found an entry
    }
    reply.status(status(write, wantsPrevious));
    if (wantsPrevious && !write.existed() && request.operation == Opcodes.PUT) {
      emptyPrevious();
    }
  }

  private KeyWrite<BinaryKey, Bytes> mutation(CacheHandle cache) {
    return switch (request.operation) {
      case Opcodes.PUT -> put(cache);
      case Opcodes.PUT_IF_ABSENT -> put(cache).when(KeyWrite.Condition.ABSENT);
      case Opcodes.REPLACE -> put(cache).when(KeyWrite.Condition.PRESENT);
      case Opcodes.REPLACE_IF_UNMODIFIED -> put(cache).whenVersion(request.entryVersion);
      case Opcodes.REMOVE -> writes.remove();
      case Opcodes.REMOVE_IF_UNMODIFIED -> writes.remove().whenVersion(request.entryVersion);
      default -> throw new AssertionError(request.operation);
    };
  }

  private KeyWrite<BinaryKey, Bytes> put(CacheHandle cache) {
    return writes.put(request.value, cache, request.valueMediaType());
  }

  /**
   * The status of a write. A put that requests the previous value always gets one, if need be an
   * empty one: some clients read it after any success.
   */
  private int status(KeyWrite<BinaryKey, Bytes> write, boolean wantsPrevious) {
    return switch (write.outcome()) {
      case DONE -> {
        boolean withPrevious = write.existed() || request.operation == Opcodes.PUT;
        yield wantsPrevious && withPrevious ? Statuses.OK_WITH_PREVIOUS : Statuses.OK;
      }
      case KEY_PRESENT, OTHER_VERSION ->
          wantsPrevious ? Statuses.NOT_EXECUTED_WITH_PREVIOUS : Statuses.NOT_EXECUTED;
      case KEY_ABSENT ->
          request.operation == Opcodes.REPLACE ? Statuses.NOT_EXECUTED : Statuses.NOT_FOUND;
    };
  }

  private void emptyPrevious() {
    if (request.version >= Versions.V40) {
      Reply.noMetadata(reply.body());
    }
    WireWriter.vInt(reply.body(), 0);
  }
}

package dev.isogrid.engine;

import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.base.NanoClock;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.ChangeCalls.FindQuestion;
import dev.isogrid.engine.ChangeCalls.ReadQuestion;
import dev.isogrid.journal.Journal;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The changes of clustered caches: this node's part in reading them, for itself and for others.
 * Thread-safe.
 */
public final class ClusterChanges {
  /** The services between nodes. */
  static final int FIND = 79;

  static final int READ = 80;

  /** How long a node waits for changes before it answers that there are none. */
  static final int WAIT_MILLIS = 1000;

  /** Searches that read files at the same time; others wait for them. */
  private static final int SEARCHES_MAX = 2;

  /** Questions that wait for changes at the same time; others are answered at once. */
  private static final int WAITING_MAX = 256;

  private final NodeCalls calls;
  private final NanoClock clock;
  private final Function<String, @Nullable CacheEngine<?, ?>> caches;
  private final Semaphore searches = new Semaphore(SEARCHES_MAX);
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * Begins to answer other nodes.
   *
   * @param caches finds the caches of users by their names
   */
  public ClusterChanges(
      NodeCalls calls, NanoClock clock, Function<String, @Nullable CacheEngine<?, ?>> caches) {
    this.calls = calls;
    this.clock = clock;
    this.caches = caches;
    calls.offer(FIND, (_, question) -> find(ChangeCalls.findQuestion(question)));
    calls.offer(READ, (_, question) -> read(ChangeCalls.readQuestion(question)));
  }

  private ByteString find(FindQuestion question) throws InterruptedException {
    StoredChanges stored = stored(question.cache(), question.cacheId());
    searches.acquire();
    try {
      return ChangeCalls.encode(stored.find(question));
    } finally {
      searches.release();
    }
  }

  private ByteString read(ReadQuestion question) throws InterruptedException {
    StoredChanges stored = stored(question.cache(), question.cacheId());
    boolean mayWait = waiting.incrementAndGet() <= WAITING_MAX;
    try {
      int waitMillis = mayWait ? Math.clamp(question.waitMillis(), 0, WAIT_MILLIS) : 0;
      return ChangeCalls.encode(stored.read(question, waitMillis));
    } finally {
      waiting.decrementAndGet();
    }
  }

  private StoredChanges stored(String cache, int id) {
    if (caches.apply(cache) instanceof ReplicatedEngine engine && engine.id() == id) {
      EntryJournal<BinaryKey, Bytes> kept = engine.kept();
      Journal journal = kept == null ? null : kept.log();
      if (journal != null) {
        return new StoredChanges(engine, journal, clock);
      }
    }
    throw new RetryableGridException(
        "no open store of the cache: cache=%s, node=%s; ask another node"
            .formatted(cache, calls.names().ofSelf()));
  }

  /**
   * Begins to read changes. Blocks until all segments are found.
   *
   * @throws dev.isogrid.api.ChangesGoneException if no store goes back so far
   * @throws dev.isogrid.api.InvalidRequestException if it is no token of a clustered cache
   * @throws RetryableGridException if some segment is not found in time
   */
  ChangeTail<BinaryKey, Bytes> open(
      ReplicatedEngine engine, ClusterCalls cluster, ChangeToken from) {
    ClusterChangeTail tail = new ClusterChangeTail(engine, cluster, calls, clock, from);
    boolean isOpen = false;
    try {
      tail.open();
      isOpen = true;
      return tail;
    } finally {
      if (!isOpen) {
        tail.close();
      }
    }
  }
}

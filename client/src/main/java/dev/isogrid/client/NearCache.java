package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The entries of a cache that a client keeps, and the listener for their changes. Thread-safe. */
final class NearCache implements ServerListener.Target {
  /*
   * See NearEntries for why a value that is outdated is not stored. With a bloom filter the server
   * sends events only of keys that were read through the connection of the listener since, or are
   * in the filter that the client sends when too many entries went. That filter replaces the
   * server's, so a key that was read after it was put together would be missing: from then until
   * the server has answered nothing is stored, and neither is what was asked for before.
   */
  private static final int BITS_PER_ENTRY = 4;

  private final RequestFormat format;
  private final Router router;
  private final NearCacheConfig config;
  private final NearEntries entries;
  private final ServerListener registration;
  private final AtomicInteger falseEvents = new AtomicInteger();
  private final AtomicBoolean isSendingFilter = new AtomicBoolean();

  /** Written under the monitor. */
  private volatile @Nullable Connection connection;

  private NearCache(Router router, RequestFormat format, NearCacheConfig config) {
    this.router = router;
    this.format = format;
    this.config = config;
    this.entries = new NearEntries(config.entriesMax());
    this.registration = new ServerListener(router, format, this, this::adding);
  }

  /**
   * Begins to keep the entries that are read of a cache, and waits for the server.
   *
   * @throws HotRodClientException if no server could be asked
   */
  static void begin(Router router, RequestFormat format, NearCacheConfig config) {
    NearCache near = new NearCache(router, format, config);
    synchronized (format.cache()) {
      if (format.cache().near() != null) {
        return; // another thread opens the cache; nothing is kept until the server has answered
      }
      format.cache().near(near);
    }
    boolean begun = false;
    try {
      Answers.awaitAll(near.registration.begin());
      begun = true;
    } finally {
      if (!begun) {
        format.cache().near(null);
      }
    }
  }

  /**
   * Keeps nothing any more.
   *
   * @return completed when the server sends no more events; failed if that is not known
   */
  CompletableFuture<?> end() {
    format.cache().near(null);
    CompletableFuture<?> ended = registration.close();
    interrupted();
    return ended;
  }

  private int bits() {
    return BITS_PER_ENTRY * config.entriesMax();
  }

  private ListenerOperation.Adding adding(KeyBytes id, ServerListener sink) {
    if (config.usesBloomFilter()) {
      return new ListenerOperation.AddNear(format, id, sink, bits());
    }
    ListenerOptions options =
        ListenerOptions.DEFAULT.withKinds(
            EntryEvent.Kind.MODIFIED, EntryEvent.Kind.REMOVED, EntryEvent.Kind.EXPIRED);
    return new ListenerOperation.Add(format, id, sink, options);
  }

  NearEntries entries() {
    return entries;
  }

  /** The connection on which changes arrive, or null if there is none now. */
  @Nullable Connection connection() {
    return connection;
  }

  /** Whether keys and values of a view are in the form in which they are kept. */
  boolean isFor(RequestFormat view) {
    return view.keys() == format.keys() && view.values() == format.values();
  }

  // ---- reads and writes -------------------------------------------------------------------------

  /** An entry, from here or a server; null if there is none. */
  <V> @Nullable MetadataValue<V> get(RequestFormat view, byte[] keyBytes) {
    KeyBytes key = new KeyBytes(keyBytes);
    MetadataValue<V> found = find(key);
    return found != null ? found : router.call(this.<V>reading(view, key));
  }

  /** As {@link #get}. */
  <V> CompletableFuture<@Nullable MetadataValue<V>> getAsync(RequestFormat view, byte[] keyBytes) {
    KeyBytes key = new KeyBytes(keyBytes);
    MetadataValue<V> found = find(key);
    return found != null
        ? CompletableFuture.completedFuture(found)
        : router.send(this.<V>reading(view, key));
  }

  @SuppressWarnings("unchecked") // the user says what the cache holds
  private <V> @Nullable MetadataValue<V> find(KeyBytes key) {
    NearEntries.Kept kept = entries.find(key);
    return kept == null ? null : (MetadataValue<V>) kept.value();
  }

  private <V> Reading<V> reading(RequestFormat view, KeyBytes key) {
    long ticket = entries.ticket(key);
    Connection only = config.usesBloomFilter() ? connection : null;
    return new Reading<>(view, key, config.usesBloomFilter() && only == null, ticket, only);
  }

  /** Takes note of a write of this client that was answered. */
  void written(RequestFormat view, byte[] key) {
    if (isFor(view)) {
      entries.invalidate(new KeyBytes(key));
    } else {
      entries.clear();
    }
  }

  /** Takes note that all entries were removed. */
  void cleared() {
    entries.clear();
  }

  /** Reads an entry at a server and keeps it. */
  private final class Reading<V> extends GetWithMetadataOperation<V> {
    private final KeyBytes key;
    private final long ticket;

    /**
     * The connection on which the server notes the key, so that it sends its events; null if any
     * will do.
     */
    private final @Nullable Connection only;

    // tidy: an operation and what it takes to keep its result
    Reading(
        RequestFormat view,
        KeyBytes key,
        boolean isUnheard,
        long ticket,
        @Nullable Connection only) {
      super(view, key.bytes());
      this.key = key;
      this.ticket = isUnheard ? NearEntries.NO_TICKET : ticket;
      this.only = only;
    }

    @Override
    public @Nullable Connection pinned() {
      return attempts == 0 ? only : null;
    }

    @Override
    @Nullable MetadataValue<V> decode(ResponseReader in, int status) {
      MetadataValue<V> found = super.decode(in, status);
      if (found != null && !(found.value() instanceof Undecoded)) {
        keep(found);
      }
      return found;
    }

    @Override
    @Nullable MetadataValue<V> resolved(@Nullable MetadataValue<V> result) {
      MetadataValue<V> found = super.resolved(result);
      if (found != null) {
        keep(found);
      }
      return found;
    }

    /** Keeps it unless the key may have changed since this was begun. */
    private void keep(MetadataValue<V> found) {
      if (only == null || attempts == 0) {
        entries.store(key, ticket, found);
        sendFilterIfOutdated();
      }
    }
  }

  // ---- events -----------------------------------------------------------------------------------

  @Override
  public void begun(Connection through) {
    synchronized (this) {
      connection = through;
      entries.open();
    }
  }

  @Override
  public void event(RawEvent event) {
    boolean wasKept = entries.invalidate(new KeyBytes(event.content()));
    if (!wasKept) {
      falseEvents.incrementAndGet();
    }
    sendFilterIfOutdated();
  }

  @Override
  public void interrupted() {
    synchronized (this) {
      connection = null;
      entries.close();
      entries.clear();
      falseEvents.set(0);
    }
  }

  private void sendFilterIfOutdated() {
    Connection through = connection;
    if (config.usesBloomFilter()
        && through != null
        && entries.isFilterOutdated(falseEvents.get())
        && isSendingFilter.compareAndSet(false, true)) {
      falseEvents.set(0);
      BitSet filter = entries.closeForFilter(bits());
      new UpdateFilter(format, filter.toByteArray(), through)
          .sentBy(router)
          .whenComplete((isKnown, cause) -> {
            isSendingFilter.set(false);
            if (cause == null && isKnown) {
              openAgain(through);
            } else {
              registration.renew(); // what the server's filter holds is not known
            }
          });
    }
  }

  private void openAgain(Connection through) {
    synchronized (this) {
      if (Objects.equals(connection, through)) {
        entries.open();
      }
    }
  }

  /** Replaces the server's filter; false if it has none. */
  private static final class UpdateFilter extends Operation<Boolean> {
    private final byte[] filter;
    private final Connection connection;

    UpdateFilter(RequestFormat format, byte[] filter, Connection connection) {
      super(format.withoutTypes());
      this.filter = filter;
      this.connection = connection;
    }

    Operation<Boolean> sentBy(Router router) {
      return router.sendAnyway(this);
    }

    @Override
    int opcode() {
      return Opcodes.UPDATE_BLOOM_FILTER;
    }

    @Override
    public Connection pinned() {
      return connection;
    }

    @Override
    boolean isRetryable() {
      return false;
    }

    @Override
    void encode(RequestWriter out) {
      out.bytes(filter);
    }

    @Override
    int size() {
      return filter.length;
    }

    @Override
    Boolean decode(ResponseReader in, int status) {
      return status == Statuses.OK;
    }
  }
}

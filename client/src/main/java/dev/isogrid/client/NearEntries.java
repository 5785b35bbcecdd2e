package dev.isogrid.client;

import dev.isogrid.wire.KeyHash;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The entries that a client keeps, and whether one that was read may be kept. Thread-safe. */
final class NearEntries {
  /*
   * A value that was read at a server may be outdated when it arrives: the entry was written
   * meanwhile, and the event has been here already. So a reader takes a ticket before it sends its
   * request, and what it read is stored only if no key of its stripe was invalidated since, and the
   * whole was not cleared: both count up, the ticket is their sum. Storing, invalidating and
   * clearing exclude each other; looking up takes no lock. An invalidation of another key of the
   * stripe makes the reader store nothing, which costs a request later.
   *
   * Eviction uses a clock: a hand goes round the places, passes over those that were used since it
   * last came, and takes the first that was not.
   */
  private static final int STRIPES = 1024;
  private static final int[] SEEDS = {239, 1847, 2719};

  /** Says that nothing may be stored. */
  static final long NO_TICKET = -1;

  private final ConcurrentHashMap<KeyBytes, Kept> entries = new ConcurrentHashMap<>();
  private final AtomicIntegerArray invalidated = new AtomicIntegerArray(STRIPES);

  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder invalidations = new LongAdder();

  /** Written under the monitor, as all that follows. */
  private volatile long clearedCount;

  private volatile boolean isOpen;
  private final int entriesMax;
  private final List<@Nullable Kept> places = new ArrayList<>();
  private final ArrayDeque<Integer> freePlaces = new ArrayDeque<>();
  private int hand;
  private int evicted;

  /** An entry. */
  static final class Kept {
    /** 68 years, so that sums with a clock are no overflow. */
    private static final long LIFESPAN_MAX_MILLIS = TimeUnit.SECONDS.toMillis(Integer.MAX_VALUE);

    private final KeyBytes key;
    private final MetadataValue<?> value;
    private final long expiryMillis;
    private final long expiryNanos;
    private int place;

    /** Written by any reader without order: a lost update costs an eviction at worst. */
    private volatile boolean isUsed;

    Kept(KeyBytes key, MetadataValue<?> value, long nowMillis, long nowNanos) {
      this.key = key;
      this.value = value;
      long lifespan = Math.min(value.lifespanMillis(), LIFESPAN_MAX_MILLIS);
      this.expiryMillis = lifespan < 0 ? Long.MAX_VALUE : value.createdMillis() + lifespan;
      this.expiryNanos = lifespan < 0 ? 0 : nowNanos + TimeUnit.MILLISECONDS.toNanos(lifespan);
    }

    MetadataValue<?> value() {
      return value;
    }

    /** By both clocks: the machine's may be set, and may differ from the server's. */
    private boolean isExpired() {
      return expiryMillis != Long.MAX_VALUE
          && (Nanos.nowMillis() >= expiryMillis || Nanos.now() - expiryNanos >= 0);
    }
  }

  /** Creates an empty one that is not open. */
  NearEntries(int entriesMax) {
    this.entriesMax = entriesMax;
  }

  /** Returns the kept entry of a key, or null. */
  @Nullable Kept find(KeyBytes key) {
    Kept kept = entries.get(key);
    if (kept == null || kept.isExpired()) {
      misses.increment();
      return null;
    }
    if (!kept.isUsed) {
      kept.isUsed = true;
    }
    hits.increment();
    return kept;
  }

  private static int stripe(KeyBytes key) {
    return (key.hashCode() ^ key.hashCode() >>> 16) & (STRIPES - 1);
  }

  private long count(KeyBytes key) {
    return clearedCount + Integer.toUnsignedLong(invalidated.get(stripe(key)));
  }

  /** To be taken before a key is read at a server, for {@link #store}. */
  long ticket(KeyBytes key) {
    return isOpen ? count(key) : NO_TICKET;
  }

  /** Keeps an entry that was read, unless it may have changed since the ticket was taken. */
  void store(KeyBytes key, long ticket, MetadataValue<?> value) {
    if (ticket == NO_TICKET || value.maxIdleMillis() >= 0) {
      return;
    }
    Kept kept = new Kept(key, value, Nanos.nowMillis(), Nanos.now());
    if (kept.isExpired()) {
      return;
    }
    synchronized (this) {
      if (isOpen && count(key) == ticket) {
        removeLocked(key);
        kept.place = freePlace();
        places.set(kept.place, kept);
        entries.put(key, kept);
      }
    }
  }

  private int freePlace() {
    Integer free = freePlaces.poll();
    if (free != null) {
      return free;
    }
    if (places.size() < entriesMax) {
      places.add(null);
      return places.size() - 1;
    }
    while (true) {
      int place = hand;
      hand = (hand + 1) % entriesMax;
      Kept candidate = places.get(place);
      if (candidate != null && candidate.isUsed) {
        candidate.isUsed = false;
      } else {
        if (candidate != null) {
          entries.remove(candidate.key);
          evicted++;
        }
        return place;
      }
    }
  }

  private boolean removeLocked(KeyBytes key) {
    Kept kept = entries.remove(key);
    if (kept == null) {
      return false;
    }
    places.set(kept.place, null);
    freePlaces.add(kept.place);
    return true;
  }

  /**
   * Drops an entry, since it changed.
   *
   * @return whether there was one
   */
  boolean invalidate(KeyBytes key) {
    synchronized (this) {
      invalidated.incrementAndGet(stripe(key));
      boolean removed = removeLocked(key);
      if (removed) {
        invalidations.increment();
      }
      return removed;
    }
  }

  /** Drops all entries, and those that are being read. */
  void clear() {
    synchronized (this) {
      // Beyond all that the stripes can count, so that sums never repeat.
      clearedCount += 1L << Integer.SIZE;
      places.clear();
      hand = 0;
      evicted = 0;
      freePlaces.clear();
      entries.clear();
    }
  }

  /** From now on read entries may be kept. */
  void open() {
    synchronized (this) {
      clearedCount += 1L << Integer.SIZE;
      isOpen = true;
    }
  }

  /** From now on no more entries are kept; those that are there stay. */
  void close() {
    synchronized (this) {
      isOpen = false;
    }
  }

  int size() {
    return entries.size();
  }

  /** Whether so many entries went that a filter at the server holds many in vain. */
  boolean isFilterOutdated(int falseEvents) {
    synchronized (this) {
      return evicted + falseEvents > entriesMax / 16 + 3;
    }
  }

  /** Closes, and returns the filter of the kept entries, of the given number of bits. */
  BitSet closeForFilter(int bits) {
    synchronized (this) {
      isOpen = false;
      evicted = 0;
      BitSet filter = new BitSet(bits);
      for (KeyBytes key : entries.keySet()) {
        for (int seed : SEEDS) {
          long hash = KeyHash.hash(key.bytes(), 0, key.bytes().length, seed);
          filter.set((int) (Math.abs(hash) % bits));
        }
      }
      return filter;
    }
  }
}

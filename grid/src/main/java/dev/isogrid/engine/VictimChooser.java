package dev.isogrid.engine;

import dev.isogrid.store.Container;
import dev.isogrid.store.Segment;
import dev.isogrid.store.UseHistory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds the entry of a cache that is likely to be missed least. Thread-safe; takes no lock of the
 * container. An entry is named by {@link #name}: what is found may be gone already.
 */
final class VictimChooser {
  /*
   * SAMPLES entries are drawn at random; the victim is the one of the lowest rank in the
   * UseHistory. For each, the fuller one of two random segments is asked, so that all segments
   * stay about equally full. In the frequency mode a newcomer has to prove itself first: the
   * hashes of the latest insertions are in a ring of 1 % of the entries, and the one that falls
   * out of it goes instead of the victim, unless it was used more often. So a scan passes through
   * the ring and leaves the rest alone.
   */

  /** Nothing was found. */
  static final long NONE = -1;

  /** Entries that are drawn for one victim: more gain nothing measurable. */
  private static final int SAMPLES = 8;

  /** The ring has a place for each so many entries. */
  private static final int ENTRIES_OF_NEWCOMER = 100;

  /** The ring of a cache whose number of entries is not bounded. */
  private static final int NEWCOMERS_UNKNOWN = 128;

  /** The largest ring, of 4 MB: enough for a hundred million entries. */
  private static final int NEWCOMERS_MAX = 1 << 20;

  /** Places of an index that a search for some entry begins at: all of a segment of few entries. */
  private static final int SWEEP_LOG2 = 10;

  private static final long PLACES_SWEPT = 1L << SWEEP_LOG2;

  private static final int TAG_BITS = 24;
  private static final int TAG_MASK = (1 << TAG_BITS) - 1;
  private static final long RANDOM_STEP = 0x9E3779B97F4A7C15L;

  private final Container<?, ?> container;
  private final UseHistory history;
  private final AtomicIntegerArray newcomers;
  private final AtomicInteger nextNewcomer = new AtomicInteger();
  private final AtomicLong random;

  /** Choices since the mode of the history was judged. */
  private final AtomicLong choices = new AtomicLong();

  /** Held by who changes the history's mode or size. */
  private final ReentrantLock upkeep = new ReentrantLock();

  /**
   * Begins with nothing known.
   *
   * @param entriesMax the most entries, or {@code Long.MAX_VALUE} if it is not known
   * @param seed decides what is drawn
   */
  VictimChooser(Container<?, ?> container, long entriesMax, long seed) {
    this.container = container;
    this.history = new UseHistory(container.segmentCount(), entriesMax);
    this.newcomers =
        new AtomicIntegerArray(
            entriesMax == Long.MAX_VALUE
                ? NEWCOMERS_UNKNOWN
                : Math.clamp(entriesMax / ENTRIES_OF_NEWCOMER, 1, NEWCOMERS_MAX));
    this.random = new AtomicLong(seed);
  }

  /** The name of an entry. */
  static long name(int segment, int tag) {
    return (long) segment << TAG_BITS | tag;
  }

  /** The segment of a name. */
  static int segment(long name) {
    return (int) (name >>> TAG_BITS);
  }

  /** The tag of a name. */
  static int tag(long name) {
    return (int) name & TAG_MASK;
  }

  private long nameOf(int hash) {
    return name(container.segmentOf(hash), Segment.tag(hash));
  }

  /** The bytes of what is remembered. */
  long bytes() {
    return history.bytes() + (long) newcomers.length() * Integer.BYTES;
  }

  /** Notes a use of a present entry. */
  void used(int hash) {
    history.used(container.segmentOf(hash), Segment.tag(hash));
  }

  /**
   * Notes an insertion.
   *
   * @return the entry that is no newcomer any more
   */
  long inserted(int hash) {
    history.inserted(container.segmentOf(hash), Segment.tag(hash));
    if (history.isTooSmall(container.occupancy().count()) && upkeep.tryLock()) {
      try {
        history.reserve(container.occupancy().count());
      } finally {
        upkeep.unlock();
      }
    }
    int place = Integer.remainderUnsigned(nextNewcomer.getAndIncrement(), newcomers.length());
    return nameOf(newcomers.getAndSet(place, hash));
  }

  /**
   * Chooses what is to go.
   *
   * @param newcomer an entry to be compared with the rest, or {@link #NONE}
   * @param written an entry that is not to go, or {@link #NONE}
   * @return its name, or {@link #NONE}
   */
  long choose(long newcomer, long written) {
    if (choices.incrementAndGet() >= history.judgeInterval()) {
      judge();
    }
    long victim = draw(written);
    if (newcomer == NONE || newcomer == written || history.isRecencyMode()) {
      return victim;
    }
    return victim == NONE || rankClass(newcomer) <= rankClass(victim) ? newcomer : victim;
  }

  private void judge() {
    if (upkeep.tryLock()) {
      try {
        choices.set(0);
        history.judge();
      } finally {
        upkeep.unlock();
      }
    }
  }

  private int rankClass(long name) {
    return UseHistory.rankClass(history.rank(segment(name), tag(name)));
  }

  private long draw(long written) {
    long seed = seed(2 * SAMPLES);
    long victim = NONE;
    int lowest = Integer.MAX_VALUE;
    for (int i = 0; i < SAMPLES; i++) {
      int segment = fullerOfTwo(mixed(seed + 2L * i * RANDOM_STEP));
      long seen = sample(segment, mixed(seed + (2L * i + 1) * RANDOM_STEP));
      if (seen != NONE && seen != written) {
        int rank = history.rank(segment, tag(seen));
        if (rank < lowest) {
          lowest = rank;
          victim = seen;
        }
      }
    }
    return victim == NONE ? anyOf(seed, written) : victim;
  }

  /** The entry of the lowest rank among some of one segment, or {@link #NONE}. */
  long chooseIn(int segment, long written) {
    long seed = seed(SAMPLES);
    long victim = NONE;
    int lowest = Integer.MAX_VALUE;
    for (int i = 0; i < SAMPLES; i++) {
      long seen = sample(segment, mixed(seed + i * RANDOM_STEP));
      if (seen != NONE && seen != written) {
        int rank = history.rank(segment, tag(seen));
        if (rank < lowest) {
          lowest = rank;
          victim = seen;
        }
      }
    }
    return victim;
  }

  /** Some entry, where there are so few that no draw found one: the first from a random segment. */
  private long anyOf(long seed, long written) {
    int count = container.segmentCount();
    int first = (int) Long.remainderUnsigned(mixed(seed), count);
    for (int i = 0; i < count; i++) {
      int segment = (first + i) % count;
      int others = segment(written) == segment ? 1 : 0;
      if (container.segmentAt(segment).count() > others) {
        long seen = sweep(segment, written);
        if (seen != NONE) {
          return seen;
        }
      }
    }
    return NONE;
  }

  /** Some entry of a segment of few: asks for one from every place of a small index in turn. */
  private long sweep(int segment, long written) {
    for (long place = 0; place < PLACES_SWEPT; place++) {
      // in the upper bits of both halves and in the lowest: each kind of segment goes by others
      long upper = (place << (Long.SIZE - SWEEP_LOG2)) | (place << (Integer.SIZE - SWEEP_LOG2));
      long seen = sample(segment, upper | place);
      if (seen != NONE && seen != written) {
        return seen;
      }
    }
    return NONE;
  }

  /** Reserves some consecutive draws for the caller, and returns the first. */
  private long seed(int draws) {
    return random.getAndAdd(draws * RANDOM_STEP);
  }

  private int fullerOfTwo(long drawn) {
    int count = container.segmentCount();
    int one = (int) (((drawn >>> 32) * count) >>> 32);
    int other = (int) (((drawn & 0xFFFF_FFFFL) * count) >>> 32);
    return container.segmentAt(one).count() >= container.segmentAt(other).count() ? one : other;
  }

  private long sample(int segment, long drawn) {
    int tag = container.segmentAt(segment).sampleTag(drawn);
    return tag < 0 ? NONE : name(segment, tag);
  }

  /** The finalizer of splitmix64. */
  private static long mixed(long seed) {
    long z = (seed ^ seed >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }
}

package dev.isogrid.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a bounded cache remembers of the use of its entries, and of those that it evicted lately: 2
 * bytes an entry. Thread-safe; nothing blocks; what threads note at the same time may get lost.
 */
public final class UseHistory {
  /*
   * Structure. A table of buckets of 64 bits. A bucket holds the latest uses of the keys that
   * belong to it, the last one first: five lanes of a 10-bit fingerprint of the key and a 2-bit
   * count of uses, 0 to 3. With a bucket for four entries there is room for a quarter more keys
   * than entries; the rest are evicted ones, whose return is recognized by it. A new key takes the
   * lane with the smallest count, of those the one used least lately, so keys that are used once
   * displace each other. When a count goes up, all counts of the bucket are halved with a small
   * probability.
   *
   * Ranks. What is to be evicted is the entry of the lowest rank among some. In the frequency mode
   * the count decides, then the lane. In the recency mode the two front lanes of a bucket, so about
   * half of the entries, are above all others; and counts are halved quickly.
   *
   * Mode. Which of the two misses less depends on the access pattern and is found out by counting
   * regrets. In the frequency mode a key that is asked for while in one of the first four lanes
   * would be a hit with LRU, since the lanes are in the order of use and four of them are an entry
   * each: regretted is such a miss, praised is a hit further back. In the recency mode a miss of a
   * key with a count above 0 is regretted, and the first hit of an entry praised, which the
   * frequency mode would have evicted early; their weights are measured. Both only happen where the
   * bucket is written anyway. Each time as many entries were evicted as the cache holds, the mode
   * changes if it had more regrets than praise.
   *
   * Concurrency. Buckets are read and written opaquely, without compare-and-set: a lost update is a
   * lost use. A read of an entry that is well known, so with a full count and in one of the front
   * lanes, writes nothing.
   *
   * Growth. Doubling the table copies each bucket to both halves: a fingerprint does not depend on
   * the bucket, and the copies of the other half's keys are displaced in time.
   *
   * A false positive of the fingerprints, 0.4 % a key, gives a key the uses of another one. The
   * idea of judging a newcomer by its frequency is of [1], that of recognizing the returned of [2].
   *
   * [1] G. Einziger, R. Friedman, B. Manes, TinyLFU: a highly efficient cache admission policy, ACM
   *     Transactions on Storage 13, 2017.
   * [2] N. Megiddo, D. Modha, ARC: a self-tuning, low overhead replacement cache, FAST 2003.
   */

  private static final int LANES = 5;
  private static final int LANE_BITS = 12;
  private static final int COUNT_BITS = 2;
  private static final int COUNT_MAX = (1 << COUNT_BITS) - 1;
  private static final long LANE_MASK = (1L << LANE_BITS) - 1;
  private static final long ALL_LANES = (1L << (LANES * LANE_BITS)) - 1;

  /** The upper bits of all counts. */
  private static final long COUNT_HIGH_BITS = 0x002_002_002_002_002L;

  /** The lower bits of all counts. */
  private static final long COUNT_LOW_BITS = 0x001_001_001_001_001L;

  /** There are so many buckets for {@link #ENTRIES_OF_BUCKETS} entries: 1.95 bytes per entry. */
  private static final int BUCKETS_OF_ENTRIES = 10;

  private static final int ENTRIES_OF_BUCKETS = 41;

  /** Lanes whose keys would be in an LRU cache of the same size: as many as entries a bucket. */
  private static final int LRU_LANES = 4;

  /** Lanes that are safe from eviction in the recency mode; more or fewer miss more. */
  private static final int RECENT_LANES = 2;

  /** Front lanes in which a full count is not worth a write. */
  private static final int QUIET_LANES = 3;

  /**
   * A count that goes up halves its bucket once in so many times, in the frequency mode: 20 for
   * each lane. Below 10 the order of rarely used keys gets lost, above 60 old favourites stay too
   * long.
   */
  private static final int FREQUENCY_HALVING = 20 * LANES;

  /** The same in the recency mode, where counts are to be forgotten quickly. */
  private static final int RECENCY_HALVING = LANES;

  /** A regret in the recency mode weighs this much: measured with known best modes. */
  private static final int REGRET_WEIGHT = 5;

  /**
   * After so many judgements the recency mode is left for a trial: not all patterns that the
   * frequency mode suits better show that in it.
   */
  private static final int RECENCY_JUDGEMENTS_MAX = 64;

  /**
   * In the frequency mode, false positives of the fingerprints make one miss in so many, or fewer,
   * look as if it was to be regretted, but for what varies; a scan misses all the time.
   */
  private static final int REGRETS_OF_CHANCE = 64;

  /** How much that varies: half of it is expected, so this is more than six deviations. */
  private static final double CHANCE_DEVIATIONS = 2;

  /** The smallest table. */
  static final int BUCKETS_MIN = 16;

  /** What the largest table, of 2 GB, is for. */
  static final long ENTRIES_MAX = 1_000_000_000;

  private static final VarHandle BUCKET = MethodHandles.arrayElementVarHandle(long[].class);

  private final int segments;
  private final int bucketsMax;

  /** Praise minus regret of the mode. */
  private final LongAdder balance = new LongAdder();

  /** Replaced by {@link #reserve}, one thread at a time. */
  private volatile Table table;

  /** Written by {@link #judge}. */
  private volatile boolean recency;

  /** Since the mode changed. Written by {@link #judge}. */
  private int judgementsOfMode;

  /** Whether there was a judgement. Written by {@link #judge}. */
  private boolean isJudged;

  /** A table and the part of it that belongs to a segment, in 2<sup>-32</sup> buckets. */
  private static final class Table {
    private final long[] buckets;
    private final long step;

    Table(long[] buckets, int segments) {
      this.buckets = buckets;
      this.step = ((long) buckets.length << Integer.SIZE) / segments;
    }

    int index(int segment, long mixed) {
      long within = (mixed & 0xFF_FFFFL) * (step >>> 24);
      return (int) ((segment * step + within) >>> Integer.SIZE);
    }
  }

  /**
   * Begins with nothing known, in the frequency mode.
   *
   * @param segments the number of segments of the container
   * @param entriesMax the most entries, or {@code Long.MAX_VALUE} if it is not known
   */
  public UseHistory(int segments, long entriesMax) {
    this.segments = segments;
    long buckets = Math.min(entriesMax, ENTRIES_MAX) * BUCKETS_OF_ENTRIES / ENTRIES_OF_BUCKETS;
    this.bucketsMax = (int) Math.max(buckets, BUCKETS_MIN);
    int first = bucketsMax;
    while (first >= 2 * BUCKETS_MIN) {
      first = (first + 1) / 2;
    }
    this.table = new Table(new long[first], segments);
  }

  /** Whether a larger table would remember a number of entries better. */
  public boolean isTooSmall(long entries) {
    return table.buckets.length < bucketsMax && entries > judgeInterval();
  }

  /** Doubles the table if it is too small. One thread at a time. */
  public void reserve(long entries) {
    if (!isTooSmall(entries)) {
      return;
    }
    long[] old = table.buckets;
    long[] grown = new long[(int) Math.min(2L * old.length, bucketsMax)];
    for (int i = 0; i < grown.length; i++) {
      grown[i] = (long) BUCKET.getOpaque(old, (int) ((long) i * old.length / grown.length));
    }
    table = new Table(grown, segments);
  }

  /** The bytes of the table. */
  public long bytes() {
    return (long) table.buckets.length * Long.BYTES;
  }

  /** The evictions after which the mode is to be judged again. */
  public long judgeInterval() {
    return (long) table.buckets.length * ENTRIES_OF_BUCKETS / BUCKETS_OF_ENTRIES;
  }

  /** Whether what was used lately is kept, rather than what is used often. */
  public boolean isRecencyMode() {
    return recency;
  }

  /**
   * Changes the mode if it was the wrong one since the last call, or for a trial. To be called
   * after as many evictions as {@link #judgeInterval} says, by one thread at a time.
   */
  public void judge() {
    long sum = balance.sumThenReset();
    if (!isJudged) {
      isJudged = true; // the beginning, with a cache that is not full, tells nothing
      return;
    }
    boolean isWrong = sum < (recency ? 0 : -regretsOfChance());
    boolean isOver = recency && ++judgementsOfMode == RECENCY_JUDGEMENTS_MAX;
    if (isWrong || isOver) {
      recency = !recency;
      judgementsOfMode = 0;
    } else {
      balance.add(sum / 2);
    }
  }

  private double regretsOfChance() {
    double most = (double) judgeInterval() / REGRETS_OF_CHANCE;
    return most + CHANCE_DEVIATIONS * Math.sqrt(most);
  }

  /**
   * Notes that an entry was used.
   *
   * @param segment the number of its segment
   * @param tag its {@link Segment#tag}
   */
  public void used(int segment, int tag) {
    long mixed = mix(segment, tag);
    Table seen = table;
    int index = seen.index(segment, mixed);
    long bucket = (long) BUCKET.getOpaque(seen.buckets, index);
    int lane = find(bucket, fingerprint(mixed));
    if (lane >= 0 && lane < QUIET_LANES && count(bucket, lane) == COUNT_MAX) {
      return;
    }
    boolean recent = recency;
    if (recent && lane >= 0 && count(bucket, lane) == 0) {
      balance.increment();
    } else if (!recent && (lane < 0 || lane >= LRU_LANES)) {
      balance.increment();
    }
    long changed = withUse(bucket, lane, fingerprint(mixed), 1, recent);
    BUCKET.setOpaque(seen.buckets, index, changed);
  }

  /** Notes that an entry was inserted. Parameters as {@link #used}. */
  public void inserted(int segment, int tag) {
    long mixed = mix(segment, tag);
    Table seen = table;
    int index = seen.index(segment, mixed);
    long bucket = (long) BUCKET.getOpaque(seen.buckets, index);
    int lane = find(bucket, fingerprint(mixed));
    boolean recent = recency;
    if (recent && lane >= 0 && count(bucket, lane) > 0) {
      balance.add(-REGRET_WEIGHT);
    } else if (!recent && lane >= 0 && lane < LRU_LANES) {
      balance.decrement();
    }
    long changed = withUse(bucket, lane, fingerprint(mixed), 0, recent);
    BUCKET.setOpaque(seen.buckets, index, changed);
  }

  /**
   * The worth of keeping an entry; greater is better. Parameters as {@link #used}.
   *
   * @return the class of {@link #rankClass} times 8, plus what decides within it; 0 or more
   */
  public int rank(int segment, int tag) {
    long mixed = mix(segment, tag);
    Table seen = table;
    long bucket = (long) BUCKET.getOpaque(seen.buckets, seen.index(segment, mixed));
    int lane = find(bucket, fingerprint(mixed));
    if (lane < 0) {
      return 0;
    }
    int recent = recency && lane < RECENT_LANES ? COUNT_MAX + 1 : 0;
    return (recent + count(bucket, lane)) * 8 + LANES - lane;
  }

  /** The part of a rank that a newcomer has to exceed to stay. */
  public static int rankClass(int rank) {
    return rank / 8;
  }

  /** A bucket with a key moved to its front. The key's count goes up if it is known. */
  private static long withUse(long bucket, int known, int fingerprint, int first, boolean recent) {
    int lane = known >= 0 ? known : leastUsed(bucket);
    int before = known >= 0 ? count(bucket, lane) : 0;
    int after = known >= 0 ? Math.min(before + 1, COUNT_MAX) : first;
    int shift = lane * LANE_BITS;
    long front = bucket & ((1L << shift) - 1);
    long back = bucket & ALL_LANES & (-1L << (shift + LANE_BITS));
    long moved = back | (front << LANE_BITS) | ((long) fingerprint << COUNT_BITS) | after;
    if (known >= 0 && after == before) {
      return moved;
    }
    // the bucket itself serves as the source of chance: it is another one at each use
    long drawn = (moved * 0x9E3779B97F4A7C15L) >>> Integer.SIZE;
    boolean isDue = (drawn * halving(recent)) >>> Integer.SIZE == 0;
    return isDue ? halved(moved) : moved;
  }

  private static int halving(boolean recent) {
    return recent ? RECENCY_HALVING : FREQUENCY_HALVING;
  }

  private static long halved(long bucket) {
    long high = bucket & COUNT_HIGH_BITS;
    return (bucket & ~(COUNT_HIGH_BITS | COUNT_LOW_BITS)) | (high >>> 1);
  }

  private static int find(long bucket, int fingerprint) {
    long rest = bucket;
    for (int lane = 0; lane < LANES; lane++) {
      if ((rest & LANE_MASK) >>> COUNT_BITS == fingerprint) {
        return lane;
      }
      rest >>>= LANE_BITS;
    }
    return -1;
  }

  /** The last lane that is empty, or else the last one with the smallest count. */
  private static int leastUsed(long bucket) {
    int least = LANES - 1;
    int smallest = Integer.MAX_VALUE;
    for (int lane = LANES - 1; lane >= 0; lane--) {
      long content = (bucket >>> (lane * LANE_BITS)) & LANE_MASK;
      int count = content >>> COUNT_BITS == 0 ? -1 : (int) content & COUNT_MAX;
      if (count < smallest) {
        smallest = count;
        least = lane;
      }
    }
    return least;
  }

  private static int count(long bucket, int lane) {
    return (int) (bucket >>> (lane * LANE_BITS)) & COUNT_MAX;
  }

  /** The upper bits: 1 to 1023, since 0 means that a lane is empty. */
  private static int fingerprint(long mixed) {
    return Math.max(1, (int) (mixed >>> (Long.SIZE - LANE_BITS + COUNT_BITS)));
  }

  private static long mix(int segment, int tag) {
    long z = ((long) segment << 24 | tag) * 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 32) * 0xD6E8FEB86659FD93L;
    return z ^ z >>> 29;
  }
}

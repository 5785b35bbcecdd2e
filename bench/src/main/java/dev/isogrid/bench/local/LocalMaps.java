package dev.isogrid.bench.local;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * One call on a full map. Keys are strings {@code key-N}, each call uses another {@code String}
 * object than the one in the map, as an application does. All keys are in the map, so every get
 * hits and every put replaces. Run by {@code ./isogrid bench local}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
public class LocalMaps {
  /** Calls before the keys repeat. A power of two. */
  private static final int SEQUENCE_LENGTH = 1 << 20;

  /** Different values to put. A power of two. */
  private static final int VALUES = 64;

  private static final long SEED = 42;

  /** The map. */
  @Param public Subject subject = Subject.CONCURRENT_HASH_MAP;

  /** The number of entries. */
  @Param({"1000", "100000", "1000000"})
  public int entries;

  /** The frequency of each key. */
  @Param public Distribution distribution = Distribution.UNIFORM;

  /** The size of a value in bytes. */
  @Param({"100"})
  public int valueSize;

  private ConcurrentMap<String, byte[]> map = new ConcurrentHashMap<>();
  private Runnable close = () -> {};
  private int[] sequence = {};
  private String[] keys = {};
  private byte[][] values = {};

  /** Fills the map. */
  @Setup(Level.Trial)
  public void fill() {
    Subject.Opened opened = subject.open();
    map = opened.map();
    close = opened.close();
    sequence = distribution.sequence(SEQUENCE_LENGTH, entries, SEED);
    values = new byte[VALUES][valueSize];
    for (int i = 0; i < VALUES; i++) {
      Arrays.fill(values[i], (byte) i);
    }
    keys = new String[entries];
    for (int i = 0; i < entries; i++) {
      keys[i] = "key-" + i;
      map.put("key-" + i, values[i % VALUES]);
    }
    check();
  }

  /** Checks that the map does its work: a broken map would be fast. */
  private void check() {
    for (int i = 0; i < entries; i++) {
      if (!Arrays.equals(map.get(keys[i]), values[i % VALUES])) {
        throw new IllegalStateException("wrong value: subject=" + subject + ", key=" + keys[i]);
      }
    }
    if (map.size() != entries) {
      throw new IllegalStateException("wrong size: subject=" + subject + ", size=" + map.size());
    }
  }

  /** Closes the map. */
  @TearDown(Level.Trial)
  public void close() {
    close.run();
  }

  /** Reads a value. */
  @Benchmark
  public byte @Nullable [] get(Cursor cursor) {
    return map.get(keys[sequence[cursor.next()]]);
  }

  /** Replaces a value; returns the previous value, as the interface demands. */
  @Benchmark
  public byte @Nullable [] put(Cursor cursor) {
    int position = cursor.next();
    return map.put(keys[sequence[position]], values[position & (VALUES - 1)]);
  }

  /** The position of a thread in the sequence of keys; each thread starts at another one. */
  @State(Scope.Thread)
  public static class Cursor {
    private int position;

    /** Chooses the start. */
    @Setup(Level.Trial)
    public void start(ThreadParams thread) {
      position = SEQUENCE_LENGTH / thread.getThreadCount() * thread.getThreadIndex();
    }

    int next() {
      position = (position + 1) & (SEQUENCE_LENGTH - 1);
      return position;
    }
  }
}

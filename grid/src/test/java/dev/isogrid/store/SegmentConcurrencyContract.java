package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import dev.isogrid.base.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Readers without a lock while writers change the table. A value tells its key and version, so that
 * a read that mixes two entries is seen; some keys are never removed, so that a read that misses an
 * entry because it was moved is seen; versions of a key never go back, so that a late read is seen.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
abstract class SegmentConcurrencyContract<K, V> {
  private static final int WRITERS = 2;
  private static final int READERS = 2;
  private static final int ROUNDS = 60;
  private static final int WRITES = 2_000;
  private static final int KEYS = 48;
  private static final long DEADLINE_SECONDS = 120;

  private final TextKind<K, V> kind;

  SegmentConcurrencyContract(TextKind<K, V> kind) {
    this.kind = kind;
  }

  @Test
  void reads_whileWritersMoveEntries_areWholeAndMissNothing() {
    Seeds.run(
        1,
        random -> {
          try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS)) {
            for (int round = 0; round < ROUNDS; round++) {
              new Round<>(kind).run(threads, random);
            }
          }
        });
  }

  /** A fresh segment, so that it grows from its smallest size in every round. */
  private static final class Round<K, V> {
    private final SegmentFixture<K, V> fixture;
    private final AtomicInteger writersLeft = new AtomicInteger(WRITERS);

    Round(TextKind<K, V> kind) {
      fixture = new SegmentFixture<>(kind);
      for (int number = 0; number < KEYS; number += 4) {
        store("k" + number, Expiry.NEVER);
      }
    }

    void run(ExecutorService threads, Random random) throws Exception {
      List<Future<Long>> running = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        running.add(threads.submit(reader(random.nextLong())));
      }
      for (int i = 0; i < WRITERS; i++) {
        running.add(threads.submit(writer(random.nextLong())));
      }
      for (Future<Long> each : running) {
        await(each);
      }
      fixture.checkInvariants();
    }

    private static void await(Future<Long> thread) throws Exception {
      try {
        thread.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AssertionError failure) {
          throw failure;
        }
        throw e;
      }
    }

    /** A key whose number divides by 4 is never removed. */
    private Callable<Long> writer(long seed) {
      return () -> {
        Random random = new Random(seed);
        try {
          for (int i = 0; i < WRITES; i++) {
            int number = random.nextInt(KEYS * i / WRITES + 4);
            if (number % 4 != 0 && random.nextBoolean()) {
              remove("k" + number);
            } else {
              boolean mortal = random.nextInt(3) == 0;
              store("k" + number, mortal ? new Expiry(1 << 20, 1 << 20) : Expiry.NEVER);
            }
          }
        } finally {
          writersLeft.decrementAndGet();
        }
        return 0L;
      };
    }

    private Callable<Long> reader(long seed) {
      return () -> {
        Random random = new Random(seed);
        EntryView<K, V> view = fixture.container.newView();
        long[] versions = new long[KEYS];
        long reads = 0;
        while (writersLeft.get() > 0) {
          int number = random.nextInt(KEYS);
          bringNear(number);
          if (random.nextInt(4) == 0) {
            readDirectly("k" + number, number % 4 == 0);
          } else {
            read(number, view, versions);
          }
          reads++;
        }
        return reads;
      };
    }

    private void read(int number, EntryView<K, V> view, long[] versions) {
      String name = "k" + number;
      K key = fixture.kind.key(name);
      Segment.Found found =
          fixture.segment.read(
              key,
              fixture.kind.hash(key),
              view,
              entry -> {
                long version = entry.version();
                assertEquals(name, fixture.kind.keyText(entry.key()));
                assertEquals(value(name, version), fixture.kind.text(entry.value()));
                assertTrue(version >= versions[number], "older than what was read before");
                versions[number] = version;
              });
      assertTrue(found == Segment.Found.LIVE || number % 4 != 0, () -> "missed: " + name);
    }

    /** A prefetch of any state ends no reader. */
    private void bringNear(int number) {
      int[] hashes = new int[4];
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = fixture.kind.hash(fixture.kind.key("k" + (number + i)));
      }
      int _ = fixture.container.bringNear(hashes, hashes.length);
    }

    /** The short way of a get, where the kind has one. */
    private void readDirectly(String name, boolean always) {
      ObjectTables tables = fixture.container.objects();
      if (tables != null) {
        Object value = tables.get(name, ObjectTables.hash(name));
        assertTrue(value != null || !always, () -> "missed: " + name);
        assertTrue(value == null || ((String) value).startsWith(name + '/'), "another's value");
      }
    }

    private static String value(String key, long version) {
      return key + '/' + version + '/' + Objects.hash(key, version);
    }

    private void store(String name, Expiry expiry) {
      K key = fixture.kind.key(name);
      int hash = fixture.kind.hash(key);
      EntryView<K, V> current = fixture.container.newView();
      fixture.segment.lock();
      try {
        long version = fixture.segment.nextVersion();
        Effect<V> effect = new Effect<>();
        effect.store(
            fixture.kind.value(value(name, version)),
            expiry.lifespanMillis(),
            expiry.maxIdleMillis());
        fixture.segment.locate(key, hash, current);
        fixture.segment.applyLocated(key, hash, current, effect, version);
      } finally {
        fixture.segment.unlock();
      }
    }

    private void remove(String name) {
      K key = fixture.kind.key(name);
      EntryView<K, V> current = fixture.container.newView();
      fixture.segment.lock();
      try {
        fixture.segment.locate(key, fixture.kind.hash(key), current);
        if (current.isPresent()) {
          fixture.segment.removeLocated();
        }
      } finally {
        fixture.segment.unlock();
      }
    }
  }
}

package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Fsync;
import dev.isogrid.journal.JournalScope;
import dev.isogrid.journal.JournalSettings;
import dev.isogrid.journal.JournalThreads;
import dev.isogrid.journal.Recovery;
import dev.isogrid.journal.SimulatedDisk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Container;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Occupancy;
import dev.isogrid.store.Segment;
import dev.isogrid.store.SegmentSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A replica of a clustered cache on a simulated disk: writes, copies and drops, with a loss of
 * power anywhere. The loaded state has exactly the writes up to its place, and the place is not
 * before the last force. {@code -Dseed=N} runs one seed.
 */
class StoredPlacesSimulationTest {
  private static final int SEEDS = 300;
  private static final int SEEDS_DEEP = 5_000;
  private static final int SEGMENTS = 2;
  private static final int EPOCH = 5;
  private static final int LIVES = 6;
  private static final int OPERATIONS = 80;
  private static final int KEYS = 12;
  private static final long JUMP = 1000;
  private static final JournalScope SCOPE = new JournalScope("orders", "bytes", SEGMENTS);

  @Test
  void loaded_afterPowerIsLost_isAsThePlacesSay() {
    Integer seed = Integer.getInteger("seed");
    for (int i = seed == null ? 0 : seed; i < (seed == null ? SEEDS : seed + 1); i++) {
      new Simulation(i).run();
    }
  }

  @Test
  @Tag("deep")
  void loaded_afterPowerIsLost_isAsThePlacesSay_manySeeds() {
    for (int seed = SEEDS; seed < SEEDS_DEEP; seed++) {
      new Simulation(seed).run();
    }
  }

  /** The order of one segment, and what the replica has of it. */
  private static final class Order {
    /** By place, the keys that there are, with the places of their writes. */
    private final TreeMap<Long, Map<String, Long>> states =
        new TreeMap<>(Map.of(0L, new TreeMap<>()));

    /** The places of writes that removed all. */
    private final TreeSet<Long> clears = new TreeSet<>();

    private long seq;
    private boolean isComplete = true;

    /** The rest of the copy in progress; null if there is none. */
    private @Nullable List<Map.Entry<String, Long>> copy;

    /** The place that the disk has at least; -1 for none. */
    private long forced;

    Map<String, Long> now() {
      return states.lastEntry().getValue();
    }

    void next(Map<String, Long> state) {
      states.put(++seq, state);
    }
  }

  private static final class Simulation {
    private final int seed;
    private final Random random;
    private final SimulatedDisk disk;
    private final List<Order> orders = List.of(new Order(), new Order());
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private Container<BinaryKey, Bytes> container = container();
    private EntryJournal<BinaryKey, Bytes> journal = journal();

    /** The entries that wait for the disk: a segment, a place and a position. */
    private final List<long[]> waiting = new ArrayList<>();

    Simulation(int seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.disk = new SimulatedDisk(random);
    }

    private static Container<BinaryKey, Bytes> container() {
      return Container.ofBinary(SEGMENTS, EPOCH, () -> 0, new Occupancy(false, false));
    }

    private EntryJournal<BinaryKey, Bytes> journal() {
      return new EntryJournal<>("orders", container, StoredForm.BYTES, 0, EPOCH);
    }

    void run() {
      try {
        for (int life = 0; life < LIVES; life++) {
          open();
          live();
          if (random.nextInt(4) == 0) {
            disk.killProcess();
          } else {
            disk.losePower();
          }
        }
        open();
      } catch (IOException | RuntimeException failure) {
        throw new AssertionError("seed=" + seed, failure);
      }
    }

    private void open() throws IOException {
      container = container();
      journal = journal();
      tasks.clear();
      waiting.clear();
      Recovery recovery = Recovery.open(disk, SCOPE, new UUID(1, 2), false);
      recovery.replay(journal);
      long[] places = journal.loadedPlaces();
      for (int index = 0; index < SEGMENTS; index++) {
        check(index, places[index]);
      }
      Fsync fsync = random.nextBoolean() ? Fsync.EACH : Fsync.INTERVAL;
      JournalSettings settings = new JournalSettings(fsync, 1000, 2000 + random.nextInt(6000));
      JournalThreads threads = new JournalThreads(tasks::add, (_, _) -> () -> {});
      journal.begin(recovery.start(EPOCH, settings, journal.liveBytes(), journal, threads));
      for (int index = 0; index < SEGMENTS; index++) {
        if (places[index] < 0) {
          drop(index);
        }
      }
    }

    private void check(int index, long place) {
      Order order = orders.get(index);
      String where = "seed=%d, segment=%d, place=%d".formatted(seed, index, place);
      boolean isCutInClear = place < 0 && order.clears.higher(order.forced) != null;
      assertTrue(
          place >= order.forced || (isCutInClear && contents(index).isEmpty()),
          () -> where + ", forced=" + order.forced);
      order.copy = null;
      order.isComplete = place >= 0;
      order.forced = place;
      if (place >= 0) {
        assertEquals(order.states.floorEntry(place).getValue(), contents(index), where);
        order.states.tailMap(place, false).clear();
        order.seq = place + JUMP;
        order.states.put(order.seq, contents(index));
      }
    }

    private Map<String, Long> contents(int index) {
      Map<String, Long> contents = new TreeMap<>();
      EntryView<BinaryKey, Bytes> view = container.newView();
      Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
      segment.lock();
      try {
        SegmentSnapshot<BinaryKey, Bytes> snapshot = segment.snapshot();
        while (snapshot.next(view)) {
          contents.put(
              new String(view.key().toByteArray(), StandardCharsets.UTF_8),
              view.version() & Segment.SEQUENCE_MAX);
        }
      } finally {
        segment.unlock();
      }
      return contents;
    }

    private void live() {
      if (random.nextInt(4) > 0) {
        disk.losePowerAt(1 + random.nextInt(100));
      }
      try {
        for (int i = 0; i < OPERATIONS; i++) {
          step(random.nextInt(SEGMENTS));
          if (random.nextInt(3) == 0) {
            work();
          }
        }
      } catch (SimulatedDisk.PowerLoss _) {
        // as it should
      }
    }

    private void work() {
      if (random.nextInt(4) == 0) {
        journal.forceSoon();
      }
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
      waiting.removeIf(each -> {
        boolean isForced = journal.isForced(each[2]);
        if (isForced) {
          Order order = orders.get((int) each[0]);
          order.forced = Math.max(order.forced, each[1]);
        }
        return isForced;
      });
    }

    private void step(int index) {
      Order order = orders.get(index);
      int kind = random.nextInt(40);
      if (kind == 0) {
        drop(index);
      } else if (order.copy != null && kind < 20) {
        copy(index);
      } else if (!order.isComplete && order.copy == null && kind < 10) {
        beginCopy(index);
      } else if (kind == 20) {
        order.next(new TreeMap<>());
        order.clears.add(order.seq);
        commit(
            index,
            order,
            () -> {
              journal.clear(index, order.seq);
              container.segmentAt(index).clear();
            });
      } else {
        write(index, order);
      }
    }

    private void write(int index, Order order) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        if (container.segmentOf(BinaryKey.of(bytes("key-" + i)).hash()) == index) {
          keys.add("key-" + i);
        }
      }
      String key = keys.get(random.nextInt(keys.size()));
      Map<String, Long> state = new TreeMap<>(order.now());
      int kind = random.nextInt(4);
      if (kind == 0) {
        state.remove(key);
      } else if (kind < 3) {
        state.put(key, order.seq + 1);
      }
      order.next(state);
      commit(
          index,
          order,
          () -> {
            if (kind < 3) {
              apply(key, kind > 0, order.seq);
            }
          });
    }

    private static byte[] bytes(String key) {
      return key.getBytes(StandardCharsets.UTF_8);
    }

    /** The commit of a replica that is in sync, or is receiving a copy. */
    private void commit(int index, Order order, Runnable applying) {
      if (!order.isComplete && order.copy == null) {
        return;
      }
      Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
      segment.lock();
      try {
        applying.run();
        long position = journal.committed(index, order.seq);
        if (order.isComplete) {
          waiting.add(new long[] {index, order.seq, position});
        }
      } finally {
        segment.endWrite();
        segment.unlock();
      }
    }

    private void apply(String name, boolean stores, long seq) {
      BinaryKey key = BinaryKey.of(bytes(name));
      Segment<BinaryKey, Bytes> segment = container.segment(key.hash());
      EntryView<BinaryKey, Bytes> view = segment.writeView();
      segment.locate(key, key.hash(), view);
      Effect<Bytes> effect = segment.writeEffect();
      effect.clear();
      if (stores) {
        effect.store(Bytes.of(new byte[random.nextInt(90)]), -1, -1, 0, null);
      } else if (view.isPresent()) {
        effect.remove();
      } else {
        return;
      }
      long version = Segment.epochBits(EPOCH) | seq;
      EntryJournal.Prepared prepared = journal.prepare(key, view, effect);
      if (stores) {
        segment.applyLocated(key, key.hash(), view, effect, version);
      } else {
        segment.removeLocated();
      }
      journal.append(key, key.hash(), effect, prepared, version, view);
    }

    private void drop(int index) {
      Order order = orders.get(index);
      order.isComplete = false;
      order.copy = null;
      order.forced = -1;
      waiting.removeIf(each -> each[0] == index);
      Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
      segment.lock();
      try {
        journal.dropped(index);
        segment.clear();
      } finally {
        segment.unlock();
      }
    }

    private void beginCopy(int index) {
      Order order = orders.get(index);
      List<Map.Entry<String, Long>> entries = new ArrayList<>(order.now().entrySet());
      Collections.shuffle(entries, random);
      order.copy = entries;
    }

    /** One more entry, unless it was written meanwhile; or the end. */
    private void copy(int index) {
      Order order = orders.get(index);
      List<Map.Entry<String, Long>> rest = requireNonNull(order.copy);
      Segment<BinaryKey, Bytes> segment = container.segmentAt(index);
      segment.lock();
      try {
        if (rest.isEmpty()) {
          order.copy = null;
          order.isComplete = true;
          waiting.add(new long[] {index, order.seq, journal.complete(index, order.seq)});
          return;
        }
        Map.Entry<String, Long> entry = rest.removeLast();
        if (entry.getValue().equals(order.now().get(entry.getKey()))) {
          apply(entry.getKey(), true, entry.getValue());
        }
      } finally {
        segment.endWrite();
        segment.unlock();
      }
    }
  }
}

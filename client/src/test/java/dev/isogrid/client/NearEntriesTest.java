package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Near caches: bounds, and that no order of reads, writes and events leaves an old value. */
class NearEntriesTest {
  private static final int KEYS = 4;

  private static KeyBytes key(int number) {
    return new KeyBytes(new byte[] {(byte) number, (byte) (number >> 8)});
  }

  private static MetadataValue<Integer> value(int number) {
    return new MetadataValue<>(number, number + 1, -1, -1, -1, -1);
  }

  @Test
  void store_beyondTheBound_dropsWhatWasNotUsed() {
    NearEntries entries = new NearEntries(100);
    entries.open();
    for (int i = 0; i < 1_000; i++) {
      entries.store(key(i), entries.ticket(key(i)), value(i));
      assertNotNull(entries.find(key(0)), "the one that is used stays");
    }
    assertEquals(100, entries.size());
    assertTrue(entries.isFilterOutdated(0));
    entries.clear();
    assertEquals(0, entries.size());
    assertNull(entries.find(key(0)));
  }

  @Test
  void store_ofAnExpiredOrIdlingEntry_keepsNothing() {
    NearEntries entries = new NearEntries(10);
    entries.open();
    entries.store(key(1), entries.ticket(key(1)), new MetadataValue<>(1, 1, 1_000, 5_000, -1, -1));
    entries.store(
        key(2),
        entries.ticket(key(2)),
        new MetadataValue<>(1, 1, -1, -1, Nanos.nowMillis(), 5_000));
    assertEquals(0, entries.size());
    entries.store(
        key(3),
        entries.ticket(key(3)),
        new MetadataValue<>(1, 1, Nanos.nowMillis(), 500_000, -1, -1));
    assertNotNull(entries.find(key(3)));
  }

  /** A server and a client whose messages come in any order that the protocol allows. */
  private static final class Model {
    private final Random random;
    private final boolean hasFilter;
    private final NearEntries entries = new NearEntries(2);
    private final int[] stored = new int[KEYS];
    private final boolean[] filter = new boolean[KEYS];
    private int writes;

    /** The requests under way to the server: in order, if there is a filter. */
    private final List<Runnable> requests = new ArrayList<>();

    /** Events on their way to the client. With a filter all answers come in the same order. */
    private final ArrayDeque<Runnable> events = new ArrayDeque<>();

    /** Answers that come in any order. */
    private final List<Runnable> answers = new ArrayList<>();

    private boolean isSendingFilter;

    Model(long seed, boolean hasFilter) {
      this.random = new Random(seed);
      this.hasFilter = hasFilter;
      entries.open();
    }

    private void answer(Runnable message) {
      if (hasFilter) {
        events.add(message);
      } else {
        answers.add(message);
      }
    }

    private void read() {
      int number = random.nextInt(KEYS);
      KeyBytes key = key(number);
      if (entries.find(key) != null) {
        return;
      }
      long ticket = entries.ticket(key);
      requests.add(() -> {
        filter[number] = true;
        int read = stored[number];
        answer(() -> entries.store(key, ticket, value(read)));
      });
    }

    private void write() {
      int number = random.nextInt(KEYS);
      stored[number] = ++writes;
      if (!hasFilter || filter[number]) {
        events.add(() -> entries.invalidate(key(number)));
      }
      if (random.nextBoolean()) { // it was this client
        answer(() -> entries.invalidate(key(number)));
      }
    }

    /** As NearCache does, but that this filter is exact, and so makes more races. */
    private void sendFilter() {
      if (!hasFilter || isSendingFilter) {
        return;
      }
      isSendingFilter = true;
      entries.closeForFilter(64);
      boolean[] kept = new boolean[KEYS];
      for (int i = 0; i < KEYS; i++) {
        kept[i] = entries.find(key(i)) != null;
      }
      requests.add(() -> {
        System.arraycopy(kept, 0, filter, 0, KEYS);
        answer(() -> {
          entries.open();
          isSendingFilter = false;
        });
      });
    }

    private boolean serve() {
      if (requests.isEmpty()) {
        return false;
      }
      requests.remove(hasFilter ? 0 : random.nextInt(requests.size())).run();
      return true;
    }

    private boolean hear() {
      Runnable event = events.poll();
      if (event != null) {
        event.run();
      }
      return event != null;
    }

    private boolean takeAnswer() {
      if (answers.isEmpty()) {
        return false;
      }
      answers.remove(random.nextInt(answers.size())).run();
      return true;
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        switch (random.nextInt(12)) {
          case 0, 1, 2 -> read();
          case 3, 4 -> write();
          case 5, 6 -> serve();
          case 7, 8 -> hear();
          case 9, 10 -> takeAnswer();
          default -> sendFilter();
        }
      }
      List<BooleanSupplier> all = List.of(this::serve, this::hear, this::takeAnswer);
      boolean isBusy = true;
      while (isBusy) {
        isBusy = false;
        for (BooleanSupplier step : all) {
          isBusy |= step.getAsBoolean();
        }
      }
    }

    int check(String run) {
      int kept = 0;
      for (int i = 0; i < KEYS; i++) {
        NearEntries.Kept found = entries.find(key(i));
        if (found != null) {
          kept++;
          assertEquals(stored[i], found.value().value(), run);
        }
      }
      return kept;
    }
  }

  private static void check(boolean hasFilter) {
    int kept = 0;
    for (long seed = 0; seed < 5_000; seed++) {
      Model model = new Model(seed, hasFilter);
      model.run(60);
      kept += model.check("seed=" + seed);
    }
    assertTrue(kept > 100, "something was kept: " + kept);
  }

  @Test
  void orderOfMessages_ofAnyKind_leavesNoOldValue() {
    check(false);
  }

  @Test
  void orderOfMessages_withFilter_leavesNoOldValue() {
    check(true);
  }
}

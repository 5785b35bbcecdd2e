package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Expiry;
import dev.isogrid.base.Seeds;
import dev.isogrid.store.SegmentFixture.Shown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random operations on a segment, and on a map beside it that says what must come out.
 *
 * @param <K> the container's kind of key
 * @param <V> the container's kind of value
 */
abstract class SegmentModelContract<K, V> {
  private static final int SEEDS = 12;
  private static final int STEPS = 4_000;
  private static final String[] MEDIA_TYPES = {"text/plain", "application/json", "a/b"};

  private final TextKind<K, V> kind;

  SegmentModelContract(TextKind<K, V> kind) {
    this.kind = kind;
  }

  @Test
  void operations_atRandom_doWhatTheModelSays() {
    Seeds.run(SEEDS, random -> new Run<>(kind, random).run());
  }

  /** One sequence of operations. The model's entries have the time of last use in them. */
  private static final class Run<K, V> {
    private final Random random;
    private final SegmentFixture<K, V> fixture;
    private final List<String> keys = new ArrayList<>();
    private final Map<String, Shown> model = new HashMap<>();
    private long lastVersion;

    Run(TextKind<K, V> kind, Random random) {
      this.random = random;
      this.fixture = new SegmentFixture<>(kind);
      keys.addAll(kind.keysOfOneHash());
      int count = 1 << random.nextInt(1, 9);
      for (int i = 0; i < count; i++) {
        keys.add("k" + i);
      }
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
        fixture.checkInvariants();
        assertEquals(model.size(), fixture.segment.count());
      }
      assertEquals(model, fixture.entries());
    }

    private void step() {
      String key = keys.get(random.nextInt(keys.size()));
      int choice = random.nextInt(1000);
      if (choice < 400) {
        store(key);
      } else if (choice < 600) {
        remove(key);
      } else if (choice < 700) {
        touch(key);
      } else if (choice < 950) {
        read(key);
      } else if (choice < 970) {
        assertEquals(model, fixture.entries());
      } else if (choice < 990) {
        removeExpired();
      } else if (choice < 993) {
        touchIdle();
      } else if (choice < 997) {
        fixture.env.moveClock(random.nextInt(-3, 20));
      } else {
        fixture.clear();
        model.clear();
      }
    }

    private Expiry expiry() {
      return switch (random.nextInt(4)) {
        case 0 -> new Expiry(random.nextInt(100), Expiry.UNLIMITED);
        case 1 -> new Expiry(Expiry.UNLIMITED, random.nextInt(100));
        case 2 -> new Expiry(random.nextInt(100), random.nextInt(50));
        default -> Expiry.NEVER;
      };
    }

    private Shown entry(
        String value, long version, Expiry expiry, int flags, @Nullable String mediaType) {
      long now = fixture.env.nowMillis();
      boolean idles = expiry.maxIdleMillis() >= 0;
      return new Shown(
          value,
          version,
          idles || expiry.lifespanMillis() >= 0 ? now : -1,
          expiry.lifespanMillis(),
          idles ? now : -1,
          expiry.maxIdleMillis(),
          flags,
          mediaType);
    }

    private void store(String key) {
      String value = "v".repeat(random.nextInt(40)) + random.nextInt();
      Expiry expiry = expiry();
      int flags = random.nextInt(4) == 0 ? random.nextInt() : 0;
      String mediaType =
          random.nextInt(4) == 0 ? MEDIA_TYPES[random.nextInt(MEDIA_TYPES.length)] : null;

      long version = fixture.store(key, value, expiry, flags, mediaType);

      assertTrue(version > lastVersion);
      lastVersion = version;
      model.put(key, entry(value, version, expiry, flags, mediaType));
    }

    private void remove(String key) {
      assertEquals(model.remove(key) != null, fixture.remove(key));
    }

    private void touch(String key) {
      Shown before = model.get(key);
      if (before != null) {
        Expiry expiry = expiry();
        fixture.touch(key, expiry);
        model.put(
            key,
            entry(
                before.value(),
                before.version(),
                expiry,
                before.clientFlags(),
                before.mediaType()));
      }
    }

    private void touchIdle() {
      fixture.touchIdle();
      model.replaceAll((_, entry) -> used(entry));
    }

    private Shown used(Shown entry) {
      return new Shown(
          entry.value(),
          entry.version(),
          entry.createdMillis(),
          entry.lifespanMillis(),
          entry.maxIdleMillis() < 0 ? -1 : fixture.env.nowMillis(),
          entry.maxIdleMillis(),
          entry.clientFlags(),
          entry.mediaType());
    }

    private void read(String key) {
      Shown before = model.get(key);
      assertEquals(before, fixture.locate(key));
      if (before == null || isExpired(before)) {
        Segment.Found expected = before == null ? Segment.Found.NONE : Segment.Found.EXPIRED;
        assertEquals(expected, fixture.find(key));
        return;
      }
      Shown used = used(before);
      assertEquals(used, fixture.read(key));
      model.put(key, used);
    }

    private boolean isExpired(Shown entry) {
      long now = fixture.env.nowMillis();
      boolean overaged =
          entry.lifespanMillis() >= 0 && now >= entry.createdMillis() + entry.lifespanMillis();
      boolean idle =
          entry.maxIdleMillis() >= 0 && now >= entry.lastUsedMillis() + entry.maxIdleMillis();
      return overaged || idle;
    }

    private void removeExpired() {
      Set<String> expired = new HashSet<>();
      model.forEach((key, entry) -> {
        if (isExpired(entry)) {
          expired.add(key);
        }
      });
      int placesMax = random.nextInt(1, 40);
      Set<String> removed = new HashSet<>();
      int place = 0;
      while (place >= 0) {
        place =
            fixture.removeExpired(
                place, placesMax, entry -> removed.add(fixture.kind.keyText(entry.key())));
        fixture.checkInvariants();
      }
      assertEquals(expired, removed);
      model.keySet().removeAll(removed);
      removed.forEach(key -> assertFalse(fixture.remove(key)));
    }
  }
}

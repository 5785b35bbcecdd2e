package dev.isogrid.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.isogrid.base.Seeds;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Walks through segments in an order of keys that can be gone on with elsewhere. */
class OrderedWalkTest {
  private static TextKind<BinaryKey, Bytes> kind(String name) {
    return switch (name) {
      case "binary" -> TextKind.BINARY;
      case "compressed" -> TextKind.COMPRESSED_OFF_HEAP;
      default -> TextKind.OFF_HEAP;
    };
  }

  private static SegmentSnapshot<BinaryKey, Bytes> walk(
      SegmentFixture<BinaryKey, Bytes> fixture, @Nullable String after) {
    return fixture.segment.orderedFrom(after == null ? null : fixture.kind.key(after));
  }

  private static List<String> keys(SegmentFixture<BinaryKey, Bytes> fixture) {
    List<String> keys = new ArrayList<>();
    SegmentSnapshot<BinaryKey, Bytes> walk = walk(fixture, null);
    while (walk.next(fixture.view)) {
      keys.add(fixture.kind.keyText(fixture.view.key()));
    }
    return keys;
  }

  /** Keys of which some have the same tag. */
  private static List<String> keysWithTies(SegmentFixture<BinaryKey, Bytes> fixture) {
    Map<Integer, String> byTag = new HashMap<>();
    List<String> keys = new ArrayList<>();
    for (int i = 0; keys.size() < 6; i++) {
      String key = "key" + i;
      String other = byTag.put(Segment.tag(fixture.kind.key(key).hash()), key);
      if (other != null) {
        keys.add(other);
        keys.add(key);
      }
    }
    for (int i = 0; i < 500; i++) {
      keys.add("more" + i);
    }
    return keys;
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "off-heap", "compressed"})
  void walk_fromAnyKey_goesOnBehindItInAnotherSegment(String kind) {
    SegmentFixture<BinaryKey, Bytes> one = new SegmentFixture<>(kind(kind));
    SegmentFixture<BinaryKey, Bytes> other = new SegmentFixture<>(kind(kind));
    for (int i = 0; i < 5000; i++) {
      other.store("filler" + i, "a table of another size");
    }
    List<String> keys = keysWithTies(one);
    keys.forEach(key -> one.store(key, "v"));
    keys.reversed().forEach(key -> other.store(key, "v"));
    for (int i = 0; i < 5000; i++) {
      other.remove("filler" + i);
    }
    List<String> order = keys(one);
    assertEquals(Set.copyOf(keys), Set.copyOf(order));
    assertEquals(keys.size(), order.size());
    assertEquals(order, keys(other));
    for (int i = 0; i < order.size(); i++) {
      SegmentSnapshot<BinaryKey, Bytes> rest = walk(other, order.get(i));
      boolean hasNext = rest.next(other.view);
      assertEquals(i + 1 < order.size(), hasNext);
      if (hasNext) {
        assertEquals(order.get(i + 1), other.kind.keyText(other.view.key()));
      }
      one.remove(order.get(i)); // the key to go on behind may be gone
      assertEquals(hasNext, walk(one, order.get(i)).next(one.view));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "off-heap", "compressed"})
  void walk_inPagesWhileTheSegmentChanges_seesWhatStaysExactlyOnce(String kind) {
    Seeds.run(4, random -> checkPages(new SegmentFixture<>(kind(kind)), random));
  }

  private static void checkPages(SegmentFixture<BinaryKey, Bytes> fixture, Random random) {
    int count = 1 + random.nextInt(1000);
    for (int i = 0; i < count; i++) {
      fixture.store("stays" + i, "v" + i);
      fixture.store("goes" + i, "v" + i);
    }
    Map<String, String> seen = new HashMap<>();
    String after = null;
    for (boolean isMore = true; isMore; ) {
      SegmentSnapshot<BinaryKey, Bytes> page = walk(fixture, after);
      int room = 1 + random.nextInt(100);
      for (int i = 0; i < room && isMore; i++) {
        isMore = page.next(fixture.view);
        if (isMore) {
          after = fixture.kind.keyText(fixture.view.key());
          assertNull(seen.put(after, fixture.kind.text(fixture.view.value())), after);
          change(fixture, random, count);
        }
      }
    }
    for (int i = 0; i < count; i++) {
      assertEquals("v" + i, seen.get("stays" + i));
    }
  }

  private static void change(SegmentFixture<BinaryKey, Bytes> fixture, Random random, int count) {
    int number = random.nextInt(2 * count);
    switch (random.nextInt(4)) {
      case 0 -> fixture.store("new" + number, "x".repeat(random.nextInt(200)));
      case 1 -> fixture.remove("new" + number);
      case 2 -> fixture.remove("goes" + number);
      default -> {
        if (number < count) {
          fixture.store("stays" + number, "v" + number);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "off-heap", "compressed"})
  void page_ofALargeSegment_costsWhatThePageHas(String kind) {
    SegmentFixture<BinaryKey, Bytes> fixture = new SegmentFixture<>(kind(kind));
    for (int i = 0; i < 50_000; i++) {
      fixture.store("key" + i, "value");
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    String after = null;
    for (int page = 0; page < 20; page++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      SegmentSnapshot<BinaryKey, Bytes> walk = walk(fixture, after);
      for (int i = 0; i < 10; i++) {
        assertTrue(walk.next(fixture.view));
      }
      after = fixture.kind.keyText(fixture.view.key());
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      assertTrue(page < 10 || bytes < 100_000, "bytes=" + bytes); // references alone are 200 kB
    }
  }

  @Test
  void walk_ofObjects_isRefused() {
    SegmentFixture<Object, Object> fixture = new SegmentFixture<>(TextKind.OBJECTS);
    assertThrows(UnsupportedOperationException.class, () -> fixture.segment.orderedFrom(null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"binary", "off-heap", "compressed"})
  void walk_overSharedTags_isInOrderOfKeys(String kind) {
    SegmentFixture<BinaryKey, Bytes> fixture = new SegmentFixture<>(kind(kind));
    List<String> keys = keysWithTies(fixture).subList(0, 6);
    keys.forEach(key -> fixture.store(key, "v"));
    Map<Integer, List<String>> byTag =
        keys(fixture).stream()
            .collect(Collectors.groupingBy(key -> Segment.tag(fixture.kind.key(key).hash())));
    assertEquals(3, byTag.size());
    if (kind.equals("off-heap")) { // the other kind goes by more bits than those of the tag first
      byTag.values().forEach(tied -> assertEquals(tied.stream().sorted().toList(), tied));
    }
  }
}

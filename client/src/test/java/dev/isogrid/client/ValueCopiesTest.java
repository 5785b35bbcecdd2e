package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays that are lent and come back. */
class ValueCopiesTest {
  private final ValueCopies copies = new ValueCopies();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 65, 1_000, 16_384, 16_385, 100_000})
  void copy_begins_withTheOriginal(int size) {
    byte[] original = "x".repeat(size).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 500; i++) {
      byte[] copy = copies.copy(original);
      assertNotSame(original, copy);
      String text = new String(copy, 0, size, StandardCharsets.UTF_8);
      assertEquals("x".repeat(size), text);
      Arrays.fill(copy, (byte) 0);
      copies.giveBack(copy);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 127, 128, 1_000})
  void arrays_areUsedAgain_andNeverTwiceAtATime(int lentMax) {
    byte[] original = new byte[1_000];
    Random random = new Random(lentMax);
    Set<byte[]> lent = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<byte[]> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<byte[]> order = new ArrayDeque<>();
    for (int i = 0; i < 10_000; i++) {
      byte[] copy = copies.copy(original);
      assertTrue(lent.add(copy), "lent twice");
      seen.add(copy);
      order.add(copy);
      if (order.size() == lentMax) {
        byte[] back = random.nextBoolean() ? order.removeFirst() : order.removeLast();
        lent.remove(back);
        if (random.nextInt(1_000) > 0) { // else it is lost
          copies.giveBack(back);
        }
      }
    }
    assertTrue(seen.size() < lentMax + 500, "arrays=" + seen.size());
  }
}

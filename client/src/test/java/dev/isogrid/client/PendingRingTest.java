package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PendingRingTest {
  private static final int SIZE = 8;

  private final ClientConfig config = ClientConfig.builder().build();
  private final ObjectFormat objects = new ObjectFormat(config.marshaller());
  private final RequestFormat format =
      new RequestFormat(new CacheRef("c", config), 0, config.intelligence(), objects, objects);
  private final PendingRing ring = new PendingRing(SIZE);

  @Test
  void answers_inAnyOrder_findTheirOperations() {
    Operation<?> slow = new SizeOperation(format);
    ring.add(slow);
    assertEquals(0, slow.messageId);
    List<Operation<?>> open = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      if (!ring.isFull()) {
        Operation<?> operation = new SizeOperation(format);
        ring.add(operation);
        open.add(operation);
      }
      Operation<?> answered = open.get(random.nextInt(open.size()));
      if (random.nextInt(3) > 0) {
        assertSame(answered, ring.find(answered.messageId));
        ring.remove(answered);
        open.remove(answered);
        assertNull(ring.find(answered.messageId));
        if (open.isEmpty()) {
          Operation<?> operation = new SizeOperation(format);
          ring.add(operation);
          open.add(operation);
        }
      }
      assertSame(slow, ring.find(0));
      assertNull(ring.find(1L << 40));
    }
  }

  @Test
  void drain_ofAFullRing_givesEachOnce() {
    int added = 0;
    while (!ring.isFull()) {
      ring.add(new SizeOperation(format));
      added++;
    }
    assertTrue(added >= SIZE);
    int drained = 0;
    for (Operation<?> each = ring.drain(); each != null; each = each.next) {
      drained++;
    }
    assertEquals(added, drained);
    assertTrue(ring.isEmpty());
    assertNull(ring.drain());
  }
}

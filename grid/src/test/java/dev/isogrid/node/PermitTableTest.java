package dev.isogrid.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.structure.PermitTable;
import dev.isogrid.structure.PermitTable.Grant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Permits of two holders who share a cache, and a clock that the test sets. */
class PermitTableTest {
  private static final long LEASE_MILLIS = 4_000;
  private static final CacheConfig BYTES =
      CacheConfig.builder()
          .storage(StorageType.HEAP_BINARY)
          .keyMarshaller(OpaqueBytes.INSTANCE)
          .valueMarshaller(OpaqueBytes.INSTANCE)
          .build();

  private final FakeEnv env = new FakeEnv();
  private final Node node = Node.start(GridConfig.builder().nodeName("n").build(), env.env());
  private final PermitTable first = table("a");
  private final PermitTable second = table("b");

  private PermitTable table(String name) {
    node.<byte[], byte[]>cache("locks", BYTES);
    return new PermitTable(
        requireNonNull(node.engine("locks")),
        node.cache("locks", BYTES),
        name,
        LEASE_MILLIS,
        env.env());
  }

  @AfterEach
  void close() {
    node.close();
  }

  private void pass(long millis) {
    for (long passed = 0; passed < millis; passed += LEASE_MILLIS / 4) {
      env.advance(LEASE_MILLIS / 4);
      env.runTasks();
    }
  }

  private static Grant taken(PermitTable table, String name) {
    return requireNonNull(table.tryAcquire(name, 1, 1));
  }

  @Test
  void permit_isOneHoldersAtATime_andFencesGrow() {
    Grant grant = taken(first, "x");
    assertEquals(1, grant.fence());
    assertNull(second.tryAcquire("x", 1, 1));
    assertNull(first.tryAcquire("x", 1, 1));
    assertEquals(0, second.available("x", 1));
    assertTrue(first.isHeld("x", grant));
    first.release("x", grant, 0);
    first.release("x", grant, 0);
    assertFalse(first.isHeld("x", grant));
    assertEquals(1, second.available("x", 1));
    assertEquals(2, taken(second, "x").fence());
    assertEquals(1, taken(second, "y").fence());
  }

  @Test
  void permit_ofOneWhoRenews_staysHis() {
    Grant grant = taken(first, "x");
    pass(10 * LEASE_MILLIS);
    assertTrue(first.isHeld("x", grant));
    assertNull(second.tryAcquire("x", 1, 1));
  }

  @Test
  void permit_ofOneWhoIsGone_isFreeSomeTimeLater() {
    Grant grant = taken(first, "x");
    pass(LEASE_MILLIS / 2);
    first.close();
    pass(LEASE_MILLIS / 2);
    assertNull(second.tryAcquire("x", 1, 1));
    pass(3 * LEASE_MILLIS / 2);
    assertFalse(first.isLeased(grant));
    assertEquals(2, taken(second, "x").fence());
  }

  @Test
  void holder_knowsThatHisLeaseIsOverBeforeAnybodyElseTakesIt() {
    Grant grant = taken(first, "x");
    first.close();
    Grant other = null;
    for (int i = 0; i < 20 && other == null; i++) {
      boolean wasLeased = first.isLeased(grant);
      other = second.tryAcquire("x", 1, 1);
      assertFalse(other != null && wasLeased);
      pass(LEASE_MILLIS / 4);
    }
    assertNotNull(other);
  }

  @Test
  void session_thatWasLost_isReplacedAndItsPermitsAreGone() {
    Grant grant = taken(first, "x");
    env.moveClock(2 * LEASE_MILLIS); // as if the process had been paused
    assertFalse(first.isLeased(grant));
    pass(2 * LEASE_MILLIS);
    Grant again = taken(first, "x");
    assertEquals(2, again.fence());
    first.release("x", grant, 0);
    assertTrue(first.isHeld("x", again));
  }

  @Test
  void releaseAll_takesThePermitFromItsHolder() {
    Grant grant = taken(first, "x");
    assertTrue(second.releaseAll("x"));
    assertFalse(second.releaseAll("x"));
    assertFalse(first.isHeld("x", grant));
    assertTrue(first.isLeased(grant));
    assertEquals(2, taken(second, "x").fence());
  }

  @Test
  void permits_ofASemaphore_areShared() {
    Grant three = requireNonNull(first.tryAcquire("s", 5, 3));
    assertNull(second.tryAcquire("s", 5, 3));
    Grant two = requireNonNull(second.tryAcquire("s", 99, 2)); // the number is the first caller's
    assertEquals(0, first.available("s", 5));
    first.release("s", three, 1);
    assertEquals(2, first.available("s", 5));
    first.release("s", three, 2); // what was given back stays so
    assertEquals(2, first.available("s", 5));
    second.release("s", two, 0);
    first.release("s", three, 0);
    assertEquals(5, second.available("s", 5));
    assertThrows(InvalidRequestException.class, () -> first.tryAcquire("s", 5, 6));
  }

  @Test
  void change_isNoticedByThoseWhoWait_andARenewalIsNot() {
    Grant grant = taken(first, "x");
    env.runTasks();
    long changes = second.changes();
    pass(2 * LEASE_MILLIS);
    assertEquals(changes, second.changes());
    first.release("x", grant, 0);
    env.runTasks();
    assertEquals(changes + 1, second.changes());
    second.awaitChange(changes, Long.MAX_VALUE);
  }
}

package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CounterConfig;
import dev.isogrid.server.net.ByteBudget;
import dev.isogrid.structure.CounterTable;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CounterListenersTest {
  private static final byte[] ID = {1, 2, 3};

  private final TestServer server = new TestServer();
  private final CounterTable table = server.node.counterTable();
  private final CounterListeners listeners = new CounterListeners();
  private final AtomicInteger wakes = new AtomicInteger();
  private final CounterClient client =
      new CounterClient(
          listeners,
          ImmediateEventExecutor.INSTANCE,
          new ByteBudget("test", 1 << 20, 0, () -> 0).newShare(),
          wakes::incrementAndGet,
          () -> {
            throw new AssertionError("not slow");
          });

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void event_ofANewListener_waitsForTheAnswerToItsRequest() {
    assertTrue(table.define("a", CounterConfig.strong(0)));
    assertTrue(listeners.add(table, "a", ID, client));
    table.add("a", 1);
    assertNull(client.poll());
    int before = wakes.get();
    client.answered();
    assertEquals(before + 1, wakes.get());
    assertNotNull(client.poll());
    assertFalse(listeners.add(table, "b", ID, client));
    table.add("a", 1);
    assertNotNull(client.poll());
    assertNull(client.poll());
  }

  @Test
  void event_ofAKnownListener_waitsWhileAnotherOneBegins() {
    assertTrue(table.define("a", CounterConfig.strong(0)));
    assertTrue(listeners.add(table, "a", ID, client));
    client.answered();
    assertTrue(listeners.add(table, "a", new byte[] {4}, client));
    table.add("a", 1);
    assertNull(client.poll());
    client.answered();
    assertNotNull(client.poll());
    assertNotNull(client.poll());
  }
}

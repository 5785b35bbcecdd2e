package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The limits of the memory that all connections of one server use together. */
class ClientBudgetsTest {
  private static final int PUT = 0x01;
  private static final int SIZE = 0x29;
  private static final int BULK_GET = 0x19;
  private static final int ADD_LISTENER = 0x25;
  private static final int ADD_BLOOM_LISTENER = 0x41;
  private static final int ITERATION_START = 0x31;
  private static final int ITERATION_END = 0x35;
  private static final int START_PUT = 0xEF;
  private static final int NEXT_PUT = 0xED;
  private static final int VALUE_SIZE = 900 << 10;
  private static final int MEMORY = 160 << 20;
  private static final String CONVERTER = "___eager-key-value-version-converter";

  private final TestServer server = new TestServer().with("c");
  private final ClientBudgets budgets =
      ClientBudgets.of(MEMORY, MEMORY, MEMORY, server.node.env().nanoClock());
  private final HotRodProtocol protocol = server.newProtocol(EventLimits.DEFAULT, budgets);
  private final List<TestServer.Connection> open = new ArrayList<>();
  private final TestServer.Connection writing = connect();

  private TestServer.Connection connect() {
    TestServer.Connection connection = server.connect(protocol);
    open.add(connection);
    return connection;
  }

  /** Closes all connections; then nothing is counted. */
  @AfterEach
  void close() {
    open.forEach(TestServer.Connection::close);
    server.close();
    assertEquals(0, budgets.events().used());
    assertEquals(0, budgets.filters().used());
    assertEquals(0, budgets.answers().used());
    assertEquals(0, budgets.iterations().used());
    assertEquals(0, budgets.heapStreams().used());
    assertEquals(0, budgets.offHeapStreams().used());
  }

  private static RequestBytes listener(String id, boolean includesState) {
    return new RequestBytes(41, ADD_LISTENER)
        .string(id)
        .u8(includesState ? 1 : 0)
        .string("")
        .string(CONVERTER)
        .u8(0) // no parameters
        .u8(0)
        .vInt(0);
  }

  private void put(String key, int size) {
    RequestBytes request = new RequestBytes(41, PUT).string(key).u8(0x88).bytes(new byte[size]);
    assertEquals(0, writing.call(request).status());
  }

  private static void readNothingMore(TestServer.Connection connection) {
    connection.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
  }

  private static void readOn(TestServer.Connection connection) {
    connection.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
    connection.runPendingTasks();
  }

  @Test
  void budgets_areThePartsOfMemoryThatTheirUsesMayTake() {
    long mib = 1 << 20;
    ClientBudgets parts = ClientBudgets.of(160L * mib, 80L * mib, 40L * mib, () -> 0);
    assertEquals(20 * mib, parts.events().max());
    assertEquals(10 * mib, parts.filters().max());
    assertEquals(20 * mib, parts.answers().max());
    assertEquals(20 * mib, parts.iterations().max());
    assertEquals(80 * mib, parts.heapStreams().max());
    assertEquals(30 * mib, parts.offHeapStreams().max());
  }

  @Test
  void manyListeners_shareOneCopyOfAnEvent() {
    TestServer.Connection listening = connect();
    for (int i = 0; i < 200; i++) {
      assertEquals(0, listening.call(listener("L" + i, false)).status());
    }
    TestServer.Connection other = connect();
    assertEquals(0, other.call(listener("L", false)).status());
    readNothingMore(listening);
    readNothingMore(other);
    put("k", VALUE_SIZE);
    long used = budgets.events().used();
    assertTrue(used >= VALUE_SIZE && used < VALUE_SIZE + 201 * 200, "bytes=" + used);
    readOn(other);
    assertEquals(1, other.responses(41).size());
    assertTrue(budgets.events().used() >= VALUE_SIZE);
    readOn(listening);
    assertEquals(200, listening.responses(41).size());
    assertEquals(0, budgets.events().used());
    assertTrue(listening.channel.isOpen());
  }

  @Test
  void clientThatReadsNoEvents_isCutOffBeforeOthersHaveNoRoom() {
    TestServer.Connection reading = connect();
    reading.call(listener("L", false));
    List<TestServer.Connection> hogs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      TestServer.Connection hog = connect();
      hogs.add(hog);
      for (int j = 0; j < 10; j++) {
        hog.call(listener("L" + j, false));
      }
      readNothingMore(hog);
    }
    for (int i = 0; i < 100; i++) {
      put("k" + i, VALUE_SIZE);
      reading.runPendingTasks();
      assertEquals(1, reading.responses(41).size());
      assertTrue(budgets.events().used() <= budgets.events().max() / 2);
      hogs.forEach(TestServer.Connection::runPendingTasks);
    }
    hogs.forEach(hog -> assertFalse(hog.channel.isOpen()));
    assertTrue(reading.channel.isOpen());
  }

  @Test
  void state_thatIsTold_countsUntilItIsSent() {
    put("a", 10_000);
    put("b", 10_000);
    TestServer.Connection listening = connect();
    server.runsAsideAtOnce = false;
    listening.send(listener("L", true).bytes());
    readNothingMore(listening);
    server.aside.remove().run();
    listening.runPendingTasks();
    assertTrue(budgets.events().used() > 20_000);
    readOn(listening);
    assertEquals(3, listening.responses(41).size());
    assertEquals(0, budgets.events().used());
  }

  @Test
  void filters_ofAllConnections_areBounded() {
    int bits = 1 << 24; // 2 MiB; all together may have 10
    int refused = 0;
    for (int i = 0; i < 10; i++) {
      Response answer =
          connect().call(new RequestBytes(41, ADD_BLOOM_LISTENER).string("L").vInt(bits));
      refused += answer.status() == 0 ? 0 : 1;
    }
    assertTrue(refused >= 6, "refused=" + refused);
    assertTrue(budgets.filters().used() <= budgets.filters().max());
    Response small =
        connect().call(new RequestBytes(41, ADD_BLOOM_LISTENER).string("L").vInt(4096));
    assertEquals(0, small.status());
    open.get(1).close();
    assertTrue(budgets.filters().used() < budgets.filters().max() - (2 << 20));
  }

  @Test
  void answerWithManyEntries_beyondTheShare_isRefusedAndNamesIteration() {
    for (int i = 0; i < 30; i++) {
      put("k" + i, VALUE_SIZE);
    }
    TestServer.Connection reading = connect();
    Response large = reading.call(new RequestBytes(41, BULK_GET).vInt(0));
    assertEquals(0x85, large.status());
    assertTrue(large.field("message").contains("iterate"), large.field("message"));
    assertEquals(0, budgets.answers().used());
    assertEquals(0, reading.call(new RequestBytes(41, BULK_GET).vInt(5)).status());
    assertEquals(0, reading.call(new RequestBytes(41, SIZE)).status());
  }

  @Test
  void iterations_ofAllConnections_areBounded() {
    int begun = 0;
    for (int i = 0; i < 10; i++) {
      TestServer.Connection hog = connect();
      for (int j = 0; j < 200; j++) {
        RequestBytes start = new RequestBytes(41, ITERATION_START).vInt(1).vInt(1).vInt(10).u8(0);
        begun += hog.call(start).status() == 0 ? 1 : 0;
      }
    }
    assertTrue(begun < 2000 && begun > 200, "begun=" + begun);
    assertTrue(budgets.iterations().used() <= budgets.iterations().max());
    server.nowMillis += 60_000;
    RequestBytes one = new RequestBytes(41, ITERATION_START).vInt(1).vInt(1).vInt(10).u8(0);
    TestServer.Connection other = connect();
    other.call(one); // which lets one connection give up its iterations
    open.forEach(TestServer.Connection::runPendingTasks);
    assertTrue(budgets.iterations().used() <= budgets.iterations().max() * 3 / 4);
    String id = other.call(one).field("iteration id");
    long used = budgets.iterations().used();
    assertEquals(0, other.call(new RequestBytes(41, ITERATION_END).string(id)).status());
    assertTrue(budgets.iterations().used() < used);
  }

  /** Sends a value in chunks, except the last one; returns how many were accepted. */
  private static int sendChunks(TestServer.Connection connection, int count) {
    RequestBytes start = new RequestBytes(41, START_PUT).string("k").u8(0x88).i64(0);
    int id = Integer.parseInt(connection.call(start).field("stream id"));
    for (int i = 0; i < count; i++) {
      RequestBytes chunk = new RequestBytes(41, NEXT_PUT).i32(id).u8(0).bytes(new byte[1 << 19]);
      if (connection.call(chunk).status() != 0) {
        return i;
      }
    }
    return count;
  }

  @Test
  void unfinishedValues_ofAllConnections_areBounded() {
    int refused = 0;
    for (int i = 0; i < 20; i++) {
      refused += sendChunks(connect(), 30) < 30 ? 1 : 0;
      assertTrue(budgets.offHeapStreams().used() <= budgets.offHeapStreams().max());
    }
    assertTrue(refused > 0);
    server.nowMillis += 600_000;
    sendChunks(connect(), 30); // which lets one connection give up its value
    open.forEach(TestServer.Connection::runPendingTasks);
    assertEquals(20, sendChunks(connect(), 20));
  }

  @Test
  void keysOfUnfinishedValues_count_untilTheirConnectionEnds() {
    TestServer.Connection hog = connect();
    RequestBytes start = new RequestBytes(41, START_PUT).string("k".repeat(VALUE_SIZE));
    start.u8(0x88).i64(0);
    Response answer = hog.call(start);
    int begun = 0;
    for (; begun < ValueStreams.OPEN_MAX && answer.status() == 0; begun++) {
      answer = hog.call(start);
    }
    String message = answer.field("message");
    assertTrue(message.contains("no memory for another streamed value: cache="), message);
    assertTrue(message.contains("bytes of unfinished values: connection="), message);
    long max = budgets.heapStreams().max();
    assertTrue(budgets.heapStreams().used() <= max / 2, "begun=" + begun);
    assertEquals(10, sendChunks(connect(), 10)); // others have the rest
    hog.close();
    assertTrue(budgets.heapStreams().used() < 1 << 20, budgets.heapStreams()::toString);
  }

  @Test
  void emptyUnfinishedValues_count() {
    TestServer.Connection client = connect();
    RequestBytes start = new RequestBytes(41, START_PUT).string("k").u8(0x88).i64(0);
    int id = Integer.parseInt(client.call(start).field("stream id"));
    assertTrue(budgets.heapStreams().used() > PutStream.HEAP_BYTES);
    assertEquals(0, client.call(new RequestBytes(41, 0xEB).i32(id)).status());
    assertEquals(0, budgets.heapStreams().used());
  }

  /**
   * Makes a connection accumulate as many events of a cache of its own as possible; it reads none.
   */
  private void keepEvents(String cache) {
    server.with(cache);
    TestServer.Connection hog = connect();
    hog.call(listener("L", false).cache(cache));
    readNothingMore(hog);
    long before = budgets.events().used();
    int size = VALUE_SIZE;
    for (int i = 0; i < 100 && size > 5000 && budgets.events().used() - before < 7 << 20; i++) {
      long used = budgets.events().used();
      if (used - before + size + 1000 > budgets.events().max() - used - size - 1000) {
        size /= 2;
      } else {
        RequestBytes put = new RequestBytes(41, PUT).cache(cache).string("k").u8(0x88);
        assertEquals(0, writing.call(put.bytes(new byte[size])).status());
      }
    }
  }

  @Test
  void eventsThatNobodyReads_cutTheirConnectionOffBeforeOthersMissTheirs() {
    TestServer.Connection reading = connect();
    reading.call(listener("L", false));
    for (int i = 0; i < 8; i++) {
      keepEvents("hog" + i);
      open.forEach(TestServer.Connection::runPendingTasks);
    }
    put("k", VALUE_SIZE);
    reading.runPendingTasks();
    assertEquals(1, reading.responses(41).size());
    assertTrue(reading.channel.isOpen());
  }
}

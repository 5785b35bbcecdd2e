package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Counters;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The status matrix of operations on counters, and their events. */
class CounterOperationsTest {
  private static final int CREATE = 0x4B;
  private static final int CONFIGURATION = 0x4D;
  private static final int IS_DEFINED = 0x4F;
  private static final int ADD = 0x52;
  private static final int RESET = 0x54;
  private static final int GET = 0x56;
  private static final int SWAP = 0x58;
  private static final int ADD_LISTENER = 0x5A;
  private static final int REMOVE_LISTENER = 0x5C;
  private static final int REMOVE = 0x5E;
  private static final int NAMES = 0x64;
  private static final int SET = 0x7F;

  private static final int WEAK = 1;
  private static final int BOUNDED = 2;
  private static final int PERSISTENT = 4;

  private final TestServer server = new TestServer().with("c");
  private final HotRodProtocol protocol = server.newProtocol();
  private final TestServer.Connection connection = server.connect(protocol);
  private final TestServer.Connection other = server.connect(protocol);

  @AfterEach
  void close() {
    connection.close();
    other.close();
    server.close();
  }

  private static RequestBytes request(int operation, String name) {
    return new RequestBytes(41, operation).cache("org.infinispan.COUNTER").string(name);
  }

  private Response call(int operation, String name) {
    return connection.call(request(operation, name));
  }

  private Response call(int operation, String name, long number) {
    return connection.call(request(operation, name).i64(number));
  }

  private Response createBounded(String name) {
    return connection.call(request(CREATE, name).u8(BOUNDED).i64(0).i64(10).i64(5));
  }

  private static RequestBytes listening(int operation, String name, String id) {
    return request(operation, name).string(id);
  }

  private static void assertAnswer(int operation, int status, Response response) {
    assertEquals(operation, response.operation(), response::toString);
    assertEquals(status, response.status(), response::toString);
  }

  @Test
  void definitions_areToldAsTheyWereSent() {
    assertAnswer(0x51, 1, call(IS_DEFINED, "b"));
    assertAnswer(0x4E, 2, call(CONFIGURATION, "b"));
    assertAnswer(0x4C, 0, createBounded("b"));
    assertAnswer(0x4C, 1, createBounded("b"));
    assertAnswer(0x51, 0, call(IS_DEFINED, "b"));
    Response bounded = call(CONFIGURATION, "b");
    assertEquals(
        List.of("2", "0", "10", "5"),
        bounded.fields().stream().map(Response.Field::value).toList());
    assertAnswer(0x4C, 0, connection.call(request(CREATE, "w").u8(WEAK).vInt(300).i64(1)));
    assertEquals(
        List.of("1", "300", "1"),
        call(CONFIGURATION, "w").fields().stream().map(Response.Field::value).toList());
    assertAnswer(0x4C, 0, connection.call(request(CREATE, "s").u8(0).i64(-1)));
    assertEquals(
        List.of("0", "-1"),
        call(CONFIGURATION, "s").fields().stream().map(Response.Field::value).toList());
    Response names = connection.call(new RequestBytes(27, NAMES).cache("c"));
    assertAnswer(0x65, 0, names);
    assertEquals(List.of("b", "s", "w"), names.all("name"));
  }

  @Test
  void definitions_thatAreNotPossible_failAndTheConnectionGoesOn() {
    RequestBytes persistent = request(CREATE, "x").u8(PERSISTENT).i64(0);
    Response refusal = connection.call(persistent);
    assertAnswer(0x50, 0x85, refusal);
    assertTrue(refusal.field("message").contains("PERSISTENT"), refusal::toString);
    RequestBytes both = request(CREATE, "x").u8(WEAK | BOUNDED).vInt(1).i64(0).i64(10).i64(5);
    assertAnswer(0x50, 0x85, connection.call(both));
    assertAnswer(
        0x50, 0x85, connection.call(request(CREATE, "x").u8(BOUNDED).i64(1).i64(0).i64(1)));
    assertAnswer(0x50, 0x85, connection.call(request(CREATE, "x").u8(WEAK).vInt(0).i64(1)));
    assertAnswer(0x50, 0x85, connection.call(request(CREATE, "").u8(0).i64(1)));
    assertAnswer(0x51, 1, call(IS_DEFINED, "x"));
  }

  @Test
  void operations_onNoCounter_sayThatThereIsNone() {
    assertAnswer(0x53, 2, call(ADD, "x", 1));
    assertAnswer(0x55, 2, call(RESET, "x"));
    assertAnswer(0x57, 2, call(GET, "x"));
    assertAnswer(0x59, 2, connection.call(request(SWAP, "x").i64(1).i64(2)));
    assertAnswer(0x80, 2, call(SET, "x", 1));
    assertAnswer(0x5F, 2, call(REMOVE, "x"));
    assertAnswer(0x5B, 2, connection.call(listening(ADD_LISTENER, "x", "id")));
    assertAnswer(0x5D, 2, connection.call(listening(REMOVE_LISTENER, "x", "id")));
    assertAnswer(0x57, 2, call(GET, "x".repeat(Counters.NAME_LENGTH_MAX + 1)));
  }

  @Test
  void operations_onAStrongCounter_answerItsValue() {
    createBounded("b");
    assertEquals("7", call(ADD, "b", 2).field("number"));
    assertAnswer(0x53, 4, call(ADD, "b", 100));
    assertEquals("10", call(GET, "b").field("number"));
    assertEquals("10", connection.call(request(SWAP, "b").i64(10).i64(3)).field("number"));
    assertEquals("3", connection.call(request(SWAP, "b").i64(10).i64(4)).field("number"));
    assertAnswer(0x59, 4, connection.call(request(SWAP, "b").i64(3).i64(11)));
    assertEquals("3", call(SET, "b", 4).field("number"));
    assertAnswer(0x80, 4, call(SET, "b", -1));
    assertAnswer(0x55, 0, call(RESET, "b"));
    assertEquals("5", call(GET, "b").field("number"));
    call(ADD, "b", 1);
    assertAnswer(0x5F, 0, call(REMOVE, "b"));
    assertAnswer(0x51, 0, call(IS_DEFINED, "b"));
    assertEquals("5", call(GET, "b").field("number"));
    assertEquals("6", new TextOf(server).value("b", 1));
  }

  /** The counter as users in the server's process see it. */
  private record TextOf(TestServer server) {
    String value(String name, long delta) {
      return Long.toString(server.node.counters().strong(name).addAndGet(delta));
    }
  }

  @Test
  void operations_onAWeakCounter_answerZero() {
    connection.call(request(CREATE, "w").u8(WEAK).vInt(4).i64(1));
    assertEquals("0", call(ADD, "w", 5).field("number"));
    assertEquals("6", call(GET, "w").field("number"));
    assertAnswer(0x55, 0, call(RESET, "w"));
    assertEquals("1", call(GET, "w").field("number"));
    assertAnswer(0x50, 0x85, connection.call(request(SWAP, "w").i64(1).i64(2)));
    assertAnswer(0x50, 0x85, call(SET, "w", 1));
  }

  @Test
  void listener_isToldByTheConnectionThatAddedItFirst() {
    createBounded("a");
    createBounded("b");
    assertAnswer(0x5B, 0, connection.call(listening(ADD_LISTENER, "a", "id")));
    assertAnswer(0x5B, 1, other.call(listening(ADD_LISTENER, "b", "id")));
    assertAnswer(0x5B, 0, other.call(listening(ADD_LISTENER, "b", "other")));
    other.call(request(ADD, "a").i64(100));
    connection.runPendingTasks();
    Response event = connection.responses(41).getFirst();
    assertEquals(
        List.of("a", "6964", "8", "5", "10"),
        event.fields().stream().map(Response.Field::value).toList());
    assertEquals(0, event.id());
    assertAnswer(0x66, 0, event);
    server.node.counters().strong("b").addAndGet(-1);
    connection.runPendingTasks();
    other.runPendingTasks();
    assertEquals("6964", connection.responses(41).getFirst().field("listener"));
    assertEquals("4", other.responses(41).getFirst().field("new"));
    assertAnswer(0x5D, 1, connection.call(listening(REMOVE_LISTENER, "a", "id")));
    assertAnswer(0x5D, 0, connection.call(listening(REMOVE_LISTENER, "b", "id")));
    assertAnswer(0x5D, 0, connection.call(listening(REMOVE_LISTENER, "b", "id")));
    server.node.counters().strong("a").reset();
    connection.runPendingTasks();
    assertEquals(0, connection.received().length);
  }

  @Test
  void connection_thatEnds_endsItsListeners() {
    createBounded("a");
    connection.call(listening(ADD_LISTENER, "a", "id"));
    connection.channel.close();
    connection.runPendingTasks();
    assertAnswer(0x5B, 0, other.call(listening(ADD_LISTENER, "a", "id")));
    server.node.counters().strong("a").incrementAndGet();
    other.runPendingTasks();
    assertEquals("6", other.responses(41).getFirst().field("new"));
  }

  @Test
  void listener_thatBeginsWhenItsConnectionHasEnded_leavesItsIdFree() {
    server.runsAsideAtOnce = false;
    connection.send(listening(ADD_LISTENER, "a", "id").bytes()); // aside: the first use of counters
    connection.channel.close();
    connection.runPendingTasks();
    server.node.counterTable();
    RequestBytes create = request(CREATE, "a").u8(BOUNDED).i64(0).i64(10).i64(5);
    assertAnswer(0x4C, 0, other.call(create));
    while (!server.aside.isEmpty()) {
      server.aside.remove().run();
    }
    connection.runPendingTasks();
    assertAnswer(0x5B, 0, other.call(listening(ADD_LISTENER, "a", "id")));
  }

  @Test
  void client_thatTakesNoEvents_isDisconnected() {
    createBounded("a");
    connection.call(listening(ADD_LISTENER, "a", "id"));
    connection.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
    var counter = server.node.counters().strong("a");
    for (int i = 0; i < CounterClient.WAITING_MAX + 2; i++) {
      assertTrue(connection.channel.isOpen());
      counter.getAndSet(i % 2);
    }
    connection.runPendingTasks();
    assertFalse(connection.channel.isOpen());
  }

  @Test
  void counters_areInNoListOfCaches() {
    createBounded("a");
    assertEquals(0x84, connection.call(request(0x03, "k")).status());
    assertEquals(List.of("c"), List.copyOf(server.node.cacheNames()));
  }
}

package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners of clients, byte by byte. */
class ListenerTest {
  private static final int ADD = 0x25;
  private static final int REMOVE = 0x27;
  private static final int PUT = 0x01;

  private final TestServer server = new TestServer().with("c");
  private final TestServer.Connection listening = server.connect();
  private final TestServer.Connection writing = server.connect();

  @AfterEach
  void close() {
    listening.close();
    writing.close();
    server.close();
  }

  private static RequestBytes add(int version, String id, boolean state, int interests) {
    return add(version, id, state, "", "", interests);
  }

  private static RequestBytes add( // the fields of one request
      int version, String id, boolean state, String filter, String converter, int interests) {
    RequestBytes request = new RequestBytes(version, ADD).string(id).u8(state ? 1 : 0);
    factory(request, filter);
    factory(request, converter);
    if (version >= 21) {
      request.u8(0);
    }
    if (version >= 26) {
      request.vInt(interests);
    }
    return request;
  }

  private static void factory(RequestBytes request, String name) {
    request.string(name);
    if (!name.isEmpty()) {
      request.u8(1).string("parameter");
    }
  }

  private void put(String key, String value) {
    put(key, value, 0);
  }

  private void put(String key, String value, int flags) {
    RequestBytes request =
        new RequestBytes(41, PUT).flags(flags).string(key).u8(0x88).string(value);
    assertEquals(0, writing.call(request).status());
  }

  private List<String> events() {
    listening.runPendingTasks();
    List<String> events = new ArrayList<>();
    for (Response event : listening.responses(41)) {
      assertTrue(event.isEvent(), event.toString());
      String key = event.text("key");
      events.add("%x %s%s".formatted(event.operation(), key, event.id() == 0 ? "" : " state"));
    }
    return events;
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 21, 22, 25, 26, 28, 29, 30, 31, 40, 41})
  void listener_ofAnyVersion_hearsOfAllChanges(int version) {
    put("before", "v");
    assertEquals(0, listening.call(add(version, "L", false, 0)).status());
    put("a", "1");
    put("a", "2");
    writing.call(new RequestBytes(41, 0x0B).string("a"));
    RequestBytes mortal = new RequestBytes(41, PUT).string("m").u8(0x18).vLong(5).string("v");
    writing.call(mortal);
    server.nowMillis += 10;
    writing.call(new RequestBytes(41, 0x03).string("m"));
    assertEquals(List.of("60 a", "61 a", "62 a", "60 m", "63 m"), events());
    Response removed = listening.call(new RequestBytes(version, REMOVE).string("L"));
    assertEquals(0x28, removed.operation());
    assertEquals(0, removed.status());
    assertEquals(1, listening.call(new RequestBytes(version, REMOVE).string("L")).status());
    put("a", "3");
    assertEquals(List.of(), events());
  }

  @Test
  void interests_chooseKindsOfEvents() {
    listening.call(add(41, "L", false, 4));
    put("a", "1");
    put("a", "2");
    writing.call(new RequestBytes(41, 0x0B).string("a"));
    assertEquals(List.of("62 a"), events());
  }

  @Test
  void state_isToldBeforeTheAnswerWithTheIdOfTheRequest() {
    put("a", "1");
    put("b", "2");
    listening.send(add(41, "L", true, 0).id(77).bytes());
    listening.runPendingTasks();
    List<Response> received = listening.responses(41);
    assertEquals(3, received.size());
    assertEquals(0x26, received.get(2).operation());
    for (Response event : received.subList(0, 2)) {
      assertEquals(0x60, event.operation());
      assertEquals(77, event.id());
    }
    put("a", "3");
    assertEquals(List.of("61 a"), events());
  }

  @Test
  void silentWrite_isNotTold() {
    listening.call(add(41, "L", false, 0));
    put("a", "1", 0x20);
    writing.call(new RequestBytes(41, 0x0B).flags(0x20).string("a"));
    writing.call(new RequestBytes(41, 0x2D).flags(0x20).u8(0x88).vInt(1).string("a").string("v"));
    assertEquals(List.of(), events());
    RequestBytes old = new RequestBytes(29, PUT).flags(0x20).string("b").u8(0x88).string("v");
    assertEquals(0, writing.call(old).status());
    assertEquals(List.of("60 b"), events());
  }

  @Test
  void silentWrite_ofAValueInChunks_isNotTold() {
    listening.call(add(41, "L", false, 0));
    RequestBytes start = new RequestBytes(41, 0xEF).flags(0x20).string("a").u8(0x88).i64(0);
    String id = writing.call(start).field("stream id");
    RequestBytes last = new RequestBytes(41, 0xED).flags(0x20).i32(Integer.parseInt(id)).u8(1);
    assertEquals(0, writing.call(last.string("v")).status());
    RequestBytes old = new RequestBytes(31, 0x39).flags(0x20).string("b").u8(0x88).i64(0);
    assertEquals(0, writing.call(old.string("v").vInt(0)).status());
    assertEquals(List.of(), events());
    RequestBytes loud = new RequestBytes(31, 0x39).string("b").u8(0x88).i64(0);
    assertEquals(0, writing.call(loud.string("w").vInt(0)).status());
    assertEquals(List.of("61 b"), events());
  }

  @Test
  void silentWrite_ofAMultimap_isNotTold() {
    listening.call(add(41, "L", false, 0));
    RequestBytes put = new RequestBytes(41, 0x6B).flags(0x20).string("a").u8(0x88).string("v");
    assertEquals(0, writing.call(put.u8(0)).status());
    RequestBytes removeKey = new RequestBytes(41, 0x6D).flags(0x20).string("a").u8(0);
    assertEquals("1", writing.call(removeKey).field("is"));
    assertEquals(List.of(), events());
    RequestBytes loud = new RequestBytes(41, 0x6B).string("a").u8(0x88).string("v").u8(0);
    assertEquals(0, writing.call(loud).status());
    assertEquals(List.of("60 a"), events());
  }

  @ParameterizedTest
  @CsvSource({"22, 1000", "25, 1000", "25, 1"})
  void listenerBefore26_withInterests_isTakenAsOneWithout(int version, int pieceSize) {
    byte[] ping = new RequestBytes(version, 0x17).id(8).bytes();
    byte[] add = add(version, "L", false, 0).u8(0x0F).bytes();
    listening.send(add, pieceSize);
    listening.send(ping, pieceSize);
    List<Response> answers = listening.responses(version);
    assertEquals(List.of(0x26, 0x18), answers.stream().map(Response::operation).toList());
    put("a", "1");
    assertEquals(List.of("60 a"), events());
  }

  @Test
  void byteAfterOtherRequests_isNoRequest() {
    byte[] ping = new RequestBytes(25, 0x17).u8(0x0F).bytes();
    listening.send(ping);
    List<Response> answers = listening.responses(25);
    assertEquals(List.of(0x18, 0x50), answers.stream().map(Response::operation).toList());
    assertEquals(0x81, answers.get(1).status());
  }

  @Test
  void unknownFactory_isRefusedByItsName() {
    Response filter =
        listening.call(add(41, "L", false, "query-dsl-filter-converter-factory", "", 0));
    assertEquals(0x85, filter.status());
    assertTrue(filter.field("message").contains("query-dsl-filter-converter-factory"));
    Response converter =
        listening.call(add(41, "L", false, "", "query-dsl-filter-converter-factory", 0));
    assertEquals(0x85, converter.status());
    assertTrue(converter.field("message").contains("query-dsl-filter-converter-factory"));
    put("a", "1");
    assertEquals(List.of(), events());
  }

  @Test
  void converter_bringsKeyValueAndVersion() {
    listening.call(add(41, "L", false, "", "___eager-key-value-version-converter", 0));
    put("a", "value");
    writing.call(new RequestBytes(41, 0x0B).string("a"));
    listening.runPendingTasks();
    List<Response> events = listening.responses(41);
    assertEquals("value", events.get(0).text("value"));
    assertEquals("1", events.get(0).field("marker"));
    assertEquals(0x62, events.get(1).operation());
    assertFalse(events.get(1).has("value"));
  }

  @Test
  void listeners_ofTwoConnectionsWithTheSameId_areTwo() {
    listening.call(add(41, "L", false, 0));
    try (TestServer.Connection other = server.connect()) {
      other.call(add(41, "L", false, 0));
      put("a", "1");
      assertEquals(List.of("60 a"), events());
      other.runPendingTasks();
      assertEquals(1, other.responses(41).size());
      other.call(new RequestBytes(41, REMOVE).string("L"));
    }
    put("a", "2");
    assertEquals(List.of("61 a"), events());
  }

  @Test
  void removalOfTheCache_endsTheConnection_inTime() {
    assertEquals(0, listening.call(add(41, "L", false, 0)).status());
    server.node.removeCache("c");
    listening.runPendingTasks();
    listening.send(new RequestBytes(41, 0x17).bytes());
    assertEquals(List.of(), listening.responses(41)); // no request begins any more
    listening.pass(ClientListeners.ENDING_SECONDS);
    assertFalse(listening.channel.isOpen());
    writing.pass(ClientListeners.ENDING_SECONDS);
    assertTrue(writing.channel.isOpen());
  }

  @Test
  void slowClient_isCutOffAndDelaysNobody() {
    try (TestServer.Connection slow = server.connect(new EventLimits(100, 1 << 20, false))) {
      slow.call(add(41, "L", false, 0));
      slow.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
      for (int i = 0; i < 101; i++) {
        put("key" + i, "v");
      }
      slow.runPendingTasks();
      assertFalse(slow.channel.isOpen());
    }
  }

  @Test
  void slowClient_whereEventsOfAKeyBecomeOne_hearsOfTheLast() {
    try (TestServer.Connection slow = server.connect(new EventLimits(100, 1 << 20, true))) {
      slow.call(add(41, "L", false, 0));
      slow.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
      for (int i = 0; i < 1000; i++) {
        put("key", "v" + i);
      }
      slow.runPendingTasks();
      assertEquals(0, slow.received().length);
      slow.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
      slow.runPendingTasks();
      List<Response> events = slow.responses(41);
      assertEquals(1, events.size());
      assertEquals(0x60, events.get(0).operation());
    }
  }
}

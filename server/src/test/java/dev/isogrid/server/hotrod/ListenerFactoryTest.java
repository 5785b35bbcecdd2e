package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.task.TaskLibrary;
import dev.isogrid.wire.MediaTypes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters and converters of listeners that are deployed in the server. */
class ListenerFactoryTest {
  private static final int ADD = 0x25;
  private static final int TEXT = MediaTypes.idOf(MediaTypes.TEXT_PLAIN);
  private static final int JSON = MediaTypes.idOf(MediaTypes.JSON);

  @TempDir private Path folder;
  private TestServer server;
  private TestServer.Connection listening;
  private TestServer.Connection writing;

  @BeforeEach
  void start() {
    TaskLibrary library = TaskLibrary.open(FactorySamples.deploy(folder));
    server = new TestServer(TestServer.CONTENT_LENGTH_MAX, library).with("c");
    listening = server.connect();
    writing = server.connect();
  }

  @AfterEach
  void close() {
    listening.close();
    writing.close();
    server.close();
  }

  /** A factory in a request. */
  private record Named(String name, List<String> parameters) {
    static final Named NONE = new Named("", List.of());

    void write(RequestBytes request) {
      request.string(name);
      if (!name.isEmpty()) {
        request.u8(parameters.size());
        for (String parameter : parameters) {
          request.string(parameter);
        }
      }
    }
  }

  private static Named named(String name, String... parameters) {
    return new Named(name, List.of(parameters));
  }

  private static RequestBytes add(boolean state, Named filter, Named converter, boolean isRaw) {
    RequestBytes request = new RequestBytes(41, ADD).types(TEXT, TEXT).string("L");
    request.u8(state ? 1 : 0);
    filter.write(request);
    converter.write(request);
    return request.u8(isRaw ? 1 : 0).vInt(0);
  }

  private void put(String key, String value) {
    RequestBytes request = new RequestBytes(41, 0x01).string(key).u8(0x88).string(value);
    assertEquals(0, writing.call(request).status());
  }

  private void remove(String key) {
    assertEquals(0, writing.call(new RequestBytes(41, 0x0B).string(key)).status());
  }

  /** The received events: operation, marker, and the content as text, without versions. */
  private List<String> events() {
    listening.runPendingTasks();
    WireInput in = new WireInput(listening.received());
    List<String> events = new ArrayList<>();
    while (in.hasMore()) {
      in.skip(1);
      in.vLong();
      int operation = in.u8();
      in.skip(2);
      if (operation < 0x60) {
        continue; // the answer to the request
      }
      in.bytes();
      int marker = in.u8();
      in.skip(1);
      String content = new String(in.bytes(), StandardCharsets.UTF_8);
      if (marker == 0 && operation < 0x62) {
        in.i64();
      }
      events.add("%x/%d %s".formatted(operation, marker, content));
    }
    return events;
  }

  private void listen(Named filter, Named converter) {
    assertEquals(0, listening.call(add(false, filter, converter, false)).status());
  }

  @Test
  void filter_letsThroughWhatItAccepts() {
    listen(named("by-prefix", "yes"), Named.NONE);
    put("a", "yes 1");
    put("b", "no");
    put("b", "yes 2");
    remove("a");
    assertEquals(List.of("60/0 a", "61/0 b", "62/0 a"), events());
  }

  @Test
  void filter_withRawData_getsBytes() {
    Named filter = named("by-key-bytes", "b");
    assertEquals(0, listening.call(add(false, filter, Named.NONE, true)).status());
    put("a", "1");
    put("b", "2");
    assertEquals(List.of("60/0 b"), events());
  }

  @Test
  void converter_getsOldAndNewValuesAndParameters() {
    listen(Named.NONE, named("in-words", "p", "q"));
    put("a", "1");
    put("a", "2");
    remove("a");
    assertEquals(
        List.of(
            "60/1 CREATED a: null to 1 [p, q]",
            "61/1 MODIFIED a: 1 to 2 [p, q]",
            "62/1 REMOVED a: 2 to null [p, q]"),
        events());
  }

  @Test
  void converter_withRawData_isSentAsItIs() {
    Named converter = named("raw-bytes", "!");
    assertEquals(0, listening.call(add(false, Named.NONE, converter, true)).status());
    put("a", "1");
    assertEquals(List.of("60/2 a!"), events());
  }

  @Test
  void filterAndConverter_workTogether() {
    listen(named("by-prefix", "yes"), named("in-words"));
    put("a", "no");
    put("a", "yes");
    assertEquals(List.of("61/1 MODIFIED a: no to yes []"), events());
  }

  @Test
  void sameNameOfBoth_mayHaveItsParametersAtTheConverter() {
    listen(named("long-ones"), named("long-ones", "2"));
    put("a", "1");
    put("b", "12");
    assertEquals(List.of("60/1 2"), events());
  }

  @Test
  void sameNameOfBoth_isToldOnlyWhatItConverts() {
    listen(named("long-ones", "3"), named("long-ones"));
    put("a", "12");
    put("b", "1234");
    remove("b");
    assertEquals(List.of("60/1 4"), events());
  }

  @Test
  void filter_withTheConverterOfKeyValueAndVersion_keepsItsLayout() {
    listen(named("by-prefix", "yes"), named("___eager-key-value-version-converter"));
    put("a", "no");
    put("b", "yes");
    List<String> events = events();
    assertEquals(1, events.size());
    assertTrue(events.getFirst().startsWith("60/1 \u0001b\u0003yes"), events::toString);
  }

  @Test
  void state_isFilteredAndConverted() {
    put("a", "yes");
    put("b", "no");
    RequestBytes request = add(true, named("by-prefix", "yes"), named("in-words"), false);
    listening.send(request.id(7).bytes());
    assertEquals(List.of("60/1 CREATED a: null to yes []"), events());
    put("c", "yes");
    assertEquals(List.of("60/1 CREATED c: null to yes []"), events());
  }

  @Test
  void result_thatIsNoText_isJson() {
    listen(Named.NONE, named("as-map"));
    put("a", "12");
    put("a", "nothing");
    assertEquals(List.of("60/1 {\"key\":\"a\",\"length\":2}", "61/1 "), events());
  }

  @Test
  void failure_leavesTheEventOutAndGoesOn() {
    listen(Named.NONE, named("as-map"));
    put("a", "fail");
    put("b", "12");
    assertEquals(List.of("60/1 {\"key\":\"b\",\"length\":2}"), events());
    assertTrue(listening.channel.isOpen());
  }

  @Test
  void converter_withRawDataThatMakesNoBytes_leavesTheEventOut() {
    Named converter = named("in-words");
    assertEquals(0, listening.call(add(false, Named.NONE, converter, true)).status());
    put("a", "1");
    assertEquals(List.of(), events());
  }

  private void assertRefused(Named filter, Named converter, String... words) {
    Response refused = listening.call(add(false, filter, converter, false));
    assertEquals(0x85, refused.status());
    for (String word : words) {
      assertTrue(refused.field("message").contains(word), refused::toString);
    }
  }

  @Test
  void unknownNames_areRefusedInTheWordsOfInfinispan() {
    assertRefused(
        named("none", "p"),
        Named.NONE,
        "Listener key/value filter factory 'none' not found in server");
    assertRefused(
        Named.NONE, named("by-prefix"), "Listener converter factory 'by-prefix' not found");
    assertRefused(named("in-words"), named("in-words"), "converter factory 'in-words' not found");
    assertRefused(Named.NONE, named("n".repeat(5000)), "n".repeat(200) + "...");
    put("a", "1");
    assertEquals(List.of(), events());
  }

  @Test
  void factoryThatFails_isTold() {
    assertRefused(Named.NONE, named("broken"), "name=broken", "no converter today");
    assertRefused(named("by-prefix"), Named.NONE, "name=by-prefix", "NoSuchElement");
  }

  @Test
  void usersCode_runsOnAThreadThatMayBlock() {
    List<Runnable> asked = new ArrayList<>();
    server.threads = asked::add;
    listening.send(add(false, Named.NONE, named("in-words"), false).bytes());
    assertEquals(1, asked.size());
    asked.removeFirst().run();
    listening.runPendingTasks();
    put("a", "1");
    put("a", "2");
    assertEquals(1, asked.size(), "one thread for all events");
    assertFalse(events().toString().contains("CREATED"));
    asked.removeFirst().run();
    assertEquals(List.of("60/1 CREATED a: null to 1 []", "61/1 MODIFIED a: 1 to 2 []"), events());
    put("a", "3");
    assertEquals(1, asked.size());
    server.threads = null;
  }

  @Test
  void slowUsersCode_cutsOffItsClientOnly() {
    List<Runnable> asked = new ArrayList<>();
    try (TestServer.Connection slow = server.connect(new EventLimits(100, 1 << 20, false))) {
      slow.send(add(false, Named.NONE, named("in-words"), false).bytes());
      slow.runPendingTasks();
      server.threads = asked::add;
      for (int i = 0; i < 101; i++) {
        put("key" + i, "v");
      }
      slow.runPendingTasks();
      assertFalse(slow.channel.isOpen());
      asked.forEach(Runnable::run);
      server.threads = null;
    }
  }

  @Test
  void slowClient_delaysTheUsersCode_untilItTakesEvents() {
    listen(Named.NONE, named("in-words"));
    listening.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
    for (int i = 0; i < 3000; i++) {
      put("key" + i, "v");
    }
    listening.runPendingTasks();
    assertEquals(0, listening.received().length);
    listening.channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
    List<String> all = new ArrayList<>();
    List<String> some = events();
    while (!some.isEmpty()) {
      all.addAll(some);
      some = events();
    }
    assertEquals(3000, all.size());
    assertEquals("60/1 CREATED key2999: null to v []", all.getLast());
  }

  private void listenForPrevious(int type) {
    RequestBytes request = new RequestBytes(41, ADD).types(type, type).string("L").u8(0);
    Named.NONE.write(request);
    named("key-value-with-previous-converter-factory").write(request);
    assertEquals(0, listening.call(request.u8(0).vInt(0)).status());
  }

  @Test
  void previousConverter_showsBothValues_asText() {
    listenForPrevious(TEXT);
    put("a", "1");
    put("a", "2");
    remove("a");
    writing.call(new RequestBytes(41, 0x01).string("m").u8(0x18).vLong(5).string("v"));
    server.nowMillis += 10;
    writing.call(new RequestBytes(41, 0x03).string("m"));
    assertEquals(
        List.of(
            "60/1 KeyValueWithPrevious{key=a, value=1, prev=null}",
            "61/1 KeyValueWithPrevious{key=a, value=2, prev=1}",
            "62/1 KeyValueWithPrevious{key=a, value=null, prev=2}",
            "60/1 KeyValueWithPrevious{key=m, value=v, prev=null}",
            "63/1 KeyValueWithPrevious{key=m, value=v, prev=null}"),
        events());
  }

  @Test
  void previousConverter_showsBothValues_asJson() {
    listenForPrevious(JSON);
    put("\"a\"", "{\"n\":1}");
    put("\"a\"", "2");
    String type = "{\"_type\":\"org.infinispan.commons.util.KeyValueWithPrevious\",";
    assertEquals(
        List.of(
            "60/1 " + type + "\"key\":\"a\",\"value\":{\"n\":1},\"prev\":null}",
            "61/1 " + type + "\"key\":\"a\",\"value\":2,\"prev\":{\"n\":1}}"),
        events());
  }

  @Test
  void previousConverter_inAFormatWithoutLayout_isRefused() {
    RequestBytes request = new RequestBytes(41, ADD).string("L").u8(0);
    Named.NONE.write(request);
    named("key-value-with-previous-converter-factory").write(request);
    Response refused = listening.call(request.u8(0).vInt(0));
    assertEquals(0x85, refused.status());
    assertTrue(refused.field("message").contains("no layout"), refused::toString);
  }
}

package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerOperationsTest {
  private static final int CLEAR = 0x13;
  private static final int STATS = 0x15;
  private static final int AUTH_MECH_LIST = 0x21;
  private static final int AUTH = 0x23;
  private static final int SIZE = 0x29;
  private static final int EXEC = 0x2B;

  private final TestServer server =
      new TestServer().with("c").with("counted", TestServer.config().statistics(true));
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private void put(String cache, String key) {
    connection.call(new RequestBytes(41, 0x01).cache(cache).string(key).u8(0x88).string("v"));
  }

  private Response execute(String task, String... parameters) {
    RequestBytes request =
        new RequestBytes(41, EXEC).cache("").string(task).vInt(parameters.length / 2);
    for (String parameter : parameters) {
      request.string(parameter);
    }
    return connection.call(request);
  }

  private CacheConfig configOf(String cache) {
    return Objects.requireNonNull(server.node.engine(cache)).config();
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 28, 31, 41})
  void sizeAndClear_inEveryVersion_countAndRemoveLiveEntries(int version) {
    for (int i = 0; i < 300; i++) {
      put("c", "k" + i);
    }
    connection.call(new RequestBytes(41, 0x01).string("gone").u8(0x08).vLong(1).string("v"));
    server.nowMillis += 1000;
    assertEquals("300", connection.call(new RequestBytes(version, SIZE)).field("size"));
    assertEquals(0, connection.call(new RequestBytes(version, CLEAR)).status());
    assertEquals("0", connection.call(new RequestBytes(version, SIZE)).field("size"));
  }

  private Map<String, String> stats(int version, String cache) {
    Map<String, String> stats = new TreeMap<>();
    for (String stat : connection.call(new RequestBytes(version, STATS).cache(cache)).all("stat")) {
      String[] parts = stat.split("=", -1);
      stats.put(parts[0], parts[1]);
    }
    return stats;
  }

  @Test
  void stats_countWhatHappened() {
    put("counted", "a");
    put("counted", "b");
    connection.call(new RequestBytes(41, 0x03).cache("counted").string("a"));
    connection.call(new RequestBytes(41, 0x03).cache("counted").string("none"));
    connection.call(new RequestBytes(41, 0x0F).cache("counted").string("a"));
    connection.call(new RequestBytes(41, 0x0B).cache("counted").string("b"));
    connection.call(new RequestBytes(41, 0x0B).cache("counted").string("b"));
    server.context.traffic().read(12);
    server.context.traffic().written(34);
    server.nowMillis += 5000;
    Map<String, String> expected =
        new TreeMap<>(
            Map.of(
                "timeSinceStart", "5",
                "currentNumberOfEntries", "1",
                "stores", "2",
                "retrievals", "2",
                "hits", "1",
                "misses", "1",
                "removeHits", "1",
                "removeMisses", "1",
                "approximateEntries", "1",
                "approximateEntriesUnique", "1"));
    long memory =
        Objects.requireNonNull(server.node.engine("counted")).memoryUse().allocatedBytes();
    assertTrue(memory > 0);
    expected.put("evictions", "0");
    expected.put("dataMemoryUsed", String.valueOf(memory));
    expected.put("offHeapMemoryUsed", String.valueOf(memory));
    expected.put("totalBytesRead", "12");
    expected.put("totalBytesWritten", "34");
    assertEquals(expected, stats(20, "counted"));

    for (String name : List.copyOf(expected.keySet())) {
      if (!name.startsWith("total") && !name.startsWith("time")) {
        expected.put(
            "global" + Character.toUpperCase(name.charAt(0)) + name.substring(1),
            expected.get(name));
      }
    }
    assertEquals(expected, stats(24, "counted"));
    assertEquals(expected, stats(41, "counted"));
  }

  @Test
  void stats_switchedOff_areMinusOne() {
    put("c", "a");
    Map<String, String> stats = stats(41, "c");
    assertEquals("-1", stats.get("hits"));
    assertEquals("-1", stats.get("globalStores"));
    assertEquals("-1", stats.get("evictions"));
    assertEquals("-1", stats.get("dataMemoryUsed"));
    assertEquals("-1", stats.get("offHeapMemoryUsed"));
    assertEquals("1", stats.get("currentNumberOfEntries"));
  }

  @Test
  void authentication_isSwitchedOff() {
    Response mechanisms = connection.call(new RequestBytes(31, AUTH_MECH_LIST).cache(""));
    assertEquals(0, mechanisms.status());
    assertEquals(List.of(), mechanisms.fields());
    Response auth =
        connection.call(new RequestBytes(31, AUTH).cache("").string("PLAIN").string("x"));
    assertEquals(0x50, auth.operation());
    assertEquals(0x85, auth.status());
  }

  @Test
  void create_fromXml_createsTheCache() {
    Response response =
        execute(
            "@@cache@create",
            "name",
            "x",
            "configuration",
            "<distributed-cache name=\"x\" segments=\"32\"/>");
    assertEquals("", response.field("result"));
    assertEquals(CacheMode.DIST_SYNC, configOf("x").mode());
    assertEquals(32, configOf("x").segments());
    put("x", "k");
  }

  @Test
  void create_fromJsonAndYaml_createsTheCache() {
    execute(
        "@@cache@create", "name", "j", "configuration", "{\"local-cache\":{\"statistics\":true}}");
    assertTrue(configOf("j").statistics());
    execute("@@cache@create", "configuration", "replicatedCache:\n  mode: SYNC\n", "name", "y");
    assertEquals(CacheMode.REPL_SYNC, configOf("y").mode());
  }

  @Test
  void create_fromTemplateOrNothing_createsTheCache() {
    execute("@@cache@create", "name", "t", "template", "org.infinispan.REPL_ASYNC");
    assertEquals(CacheMode.REPL_ASYNC, configOf("t").mode());
    execute("@@cache@create", "name", "n");
    assertEquals(CacheMode.LOCAL, configOf("n").mode());
    assertEquals(0x85, execute("@@cache@create", "name", "u", "template", "nope").status());
  }

  @Test
  void create_ofAnExistingCache_fails() {
    Response response = execute("@@cache@create", "name", "c");
    assertEquals(0x85, response.status());
    assertEquals(0x50, response.operation());
    assertTrue(response.field("message").contains("already exists"));
  }

  @Test
  void getOrCreate_ofAnExistingCache_leavesIt() {
    put("c", "k");
    assertEquals(0, execute("@@cache@getorcreate", "name", "c").status());
    assertEquals("1", connection.call(new RequestBytes(41, SIZE)).field("size"));
    assertEquals(0, execute("@@cache@getorcreate", "name", "g", "flags", "VOLATILE").status());
    put("g", "k");
  }

  @Test
  void remove_ofACache_removesIt() {
    assertEquals(0, execute("@@cache@remove", "name", "c").status());
    assertEquals(0x84, connection.call(new RequestBytes(41, SIZE)).status());
    assertEquals(0, execute("@@cache@remove", "name", "c").status());
  }

  @Test
  void names_ofCaches_areJson() {
    server.with("it's \"quoted\"");
    assertEquals(
        "[\"c\",\"counted\",\"it's \\\"quoted\\\"\"]", execute("@@cache@names").field("result"));
    assertTrue(execute("@@cache@templates").field("result").contains("org.infinispan.DIST_SYNC"));
  }

  @Test
  void badTasks_failAndTheConnectionGoesOn() {
    Response unknown = execute("nope");
    assertEquals(0x85, unknown.status());
    assertEquals(
        "java.lang.IllegalArgumentException: Unknown task 'nope'", unknown.field("message"));
    assertTrue(execute("x".repeat(10_000)).field("message").length() < 300);
    assertEquals(0x85, execute("@@cache@create").status());
    assertEquals(0x85, execute("@@cache@create", "name", "").status());
    assertEquals(0x85, execute("@@cache@create", "name", "x", "configuration", "<").status());
    assertEquals(0x85, execute("@@cache@create", "name", "x", "flags", "VOLATILE,OTHER").status());
    assertEquals(0, execute("@@cache@names").status());
    assertEquals("[\"c\",\"counted\"]", execute("@@cache@names").field("result"));
  }

  @Test
  void tooManyParameters_fail() {
    String[] parameters = new String[2 * 101];
    Arrays.fill(parameters, "p");
    Response response = execute("@@cache@names", parameters);
    assertEquals(0x85, response.status());
    assertTrue(response.field("message").contains("limit=100"));
  }
}

package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Schemas from clients, and JSON that needs them. */
class SchemaTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int REMOVE = 0x0B;
  private static final int CLEAR = 0x13;
  private static final int PING = 0x17;
  private static final int EXEC = 0x2B;
  private static final int PUT_ALL = 0x2D;
  private static final int GET_ALL = 0x2F;
  private static final int ITERATION_START = 0x31;
  private static final int ITERATION_END = 0x35;
  private static final int OLD_PUT = 0x39;
  private static final int NEXT_PUT = 0xED;
  private static final int START_PUT = 0xEF;
  private static final int JSON = 2;
  private static final int TEXT = 13;
  private static final String CACHE = "___protobuf_metadata";
  private static final String SCHEMA = "package p; message M { optional string f = 1; }";
  private static final String MESSAGE = "{\"_type\":\"p.M\",\"f\":\"a\"}";

  private final TestServer server =
      new TestServer().withSchemas().withEncoding("ps", "application/x-protostream");
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private Response put(String name, String content) {
    return connection.call(
        new RequestBytes(41, PUT)
            .cache(CACHE)
            .types(TEXT, TEXT)
            .string(name)
            .u8(0x88)
            .string(content));
  }

  private Response get(String name) {
    return connection.call(new RequestBytes(41, GET).cache(CACHE).types(TEXT, TEXT).string(name));
  }

  private void remove(String name) {
    connection.call(new RequestBytes(41, REMOVE).cache(CACHE).types(TEXT, TEXT).string(name));
  }

  private Response putJson(String json) {
    return connection.call(
        new RequestBytes(41, PUT).cache("ps").types(TEXT, JSON).string("k").u8(0x88).string(json));
  }

  private String task(String task, Map<String, String> parameters) {
    RequestBytes request = new RequestBytes(41, EXEC).string(task).vInt(parameters.size());
    parameters.forEach((name, value) -> request.string(name).string(value));
    Response response = connection.call(request);
    return response.status() == 0 ? response.field("result") : response.field("message");
  }

  @Test
  void brokenFile_hasAnErrorThatGoesWhenItIsMended() {
    assertEquals(0, put("bad.proto", "message {").status());
    assertEquals(0, put("good.proto", SCHEMA).status());
    assertTrue(get("bad.proto.errors").text("value").contains("bad.proto"));
    assertEquals("bad.proto", get(".errors").text("value"));
    assertEquals(2, get("good.proto.errors").status());
    put("bad.proto", "message B {}");
    assertEquals(2, get("bad.proto.errors").status());
    assertEquals(2, get(".errors").status());
  }

  @Test
  void removedFile_takesItsErrorWithIt() {
    put("bad.proto", "message {");
    put("dependent.proto", "import \"bad.proto\"; message D {}");
    assertEquals("bad.proto\ndependent.proto", get(".errors").text("value"));
    remove("bad.proto");
    assertEquals("dependent.proto", get(".errors").text("value"));
    connection.call(new RequestBytes(41, CLEAR).cache(CACHE));
    assertEquals(2, get(".errors").status());
  }

  @Test
  void putAll_isCheckedAsWell() {
    connection.call(
        new RequestBytes(41, PUT_ALL)
            .cache(CACHE)
            .types(TEXT, TEXT)
            .u8(0x88)
            .vInt(1)
            .string("bad.proto")
            .string("nonsense"));
    assertEquals("bad.proto", get(".errors").text("value"));
  }

  @Test
  void ping_tellsObjects_withoutParameters() {
    Response ping = connection.call(new RequestBytes(41, PING).cache(CACHE));
    assertEquals("id 1", ping.field("key type"));
  }

  @Test
  void json_isUnderstoodWhileItsSchemaIsThere() {
    assertEquals(0x85, putJson(MESSAGE).status());
    put("m.proto", SCHEMA);
    assertEquals(0, putJson(MESSAGE).status());
    Response json =
        connection.call(new RequestBytes(41, GET).cache("ps").types(TEXT, JSON).string("k"));
    assertEquals(MESSAGE, json.text("value"));
    Response all =
        connection.call(
            new RequestBytes(41, GET_ALL).cache("ps").types(TEXT, JSON).vInt(1).string("k"));
    assertTrue(all.toString().contains(HexFormat.of().formatHex(utf8(MESSAGE))), all::toString);
    remove("m.proto");
    assertEquals(0x85, putJson(MESSAGE).status());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void jsonThatNamesNoType_isRefusedAndTheConnectionGoesOn() {
    Response refused = putJson("{\"a\":1}");
    assertEquals(0x85, refused.status());
    assertTrue(refused.field("message").contains("_type"), refused.field("message"));
    assertEquals(2, get("x.proto").status());
  }

  @Test
  void tasks_tellWhatBecameOfTheFile() {
    Map<String, String> create = Map.of("name", "m.proto", "content", SCHEMA, "op", "c");
    assertEquals("c", task("@@schemas@createOrUpdate", create));
    assertEquals("n", task("@@schemas@createOrUpdate", create));
    Map<String, String> save = Map.of("name", "m.proto", "content", SCHEMA, "op", "s");
    assertEquals("n", task("@@schemas@createOrUpdate", save));
    Map<String, String> force =
        Map.of("name", "m.proto", "content", SCHEMA, "op", "s", "force", "f");
    assertEquals("u", task("@@schemas@createOrUpdate", force));
    Map<String, String> update = Map.of("name", "m.proto", "content", "message {", "op", "u");
    assertTrue(task("@@schemas@createOrUpdate", update).startsWith("u;"));
    Map<String, String> absent = Map.of("name", "no.proto", "content", SCHEMA, "op", "u");
    assertEquals("n", task("@@schemas@createOrUpdate", absent));
    assertEquals("1", task("@@schemas@delete", Map.of("name", "m.proto")));
    assertEquals("0", task("@@schemas@delete", Map.of("name", "m.proto")));
    assertTrue(task("@@schemas@delete", Map.of()).contains("missing parameter"));
    Map<String, String> odd = Map.of("name", "m", "content", SCHEMA, "op", "c");
    assertTrue(task("@@schemas@createOrUpdate", odd).contains("must end with .proto"));
  }

  /** Changes a schema as another server does: conversions follow when the test runs the tasks. */
  private void changeElsewhere() {
    server.runsAsideAtOnce = false;
    BinaryKey key = BinaryKey.of(ScalarMarshaller.INSTANCE.toBytes("new.proto"));
    Bytes schema = Bytes.of(ScalarMarshaller.INSTANCE.toBytes(SCHEMA));
    CacheEngine<BinaryKey, Bytes> schemas = Objects.requireNonNull(server.node.engine(CACHE));
    schemas.write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().put(schema));
    assertTrue(server.context.catalog().schemas().isBehind());
  }

  /** Runs what waits for other threads, the latest first. */
  private void runAside() {
    while (!server.aside.isEmpty()) {
      server.aside.removeLast().run();
      connection.runPendingTasks();
    }
  }

  private String text(String key) {
    RequestBytes get = new RequestBytes(41, GET).cache("ps").string(key);
    connection.send(get.bytes());
    runAside();
    return connection.response(get).text("value");
  }

  private static RequestBytes chunk(String id, boolean isLast, String content) {
    return new RequestBytes(41, NEXT_PUT)
        .cache("ps")
        .i32(Integer.parseInt(id))
        .u8(isLast ? 1 : 0)
        .string(content);
  }

  @Test
  void chunksOfAValue_thatArriveWhileSchemasChange_keepTheirOrder() {
    RequestBytes start = new RequestBytes(41, START_PUT).cache("ps").string("k").u8(0x88).i64(0);
    String id = connection.call(start).field("stream id");
    changeElsewhere();
    connection.send(chunk(id, false, "one ").bytes());
    connection.send(chunk(id, false, "two ").bytes());
    runAside();
    assertEquals(List.of(0, 0), statuses());
    changeElsewhere();
    connection.send(chunk(id, true, "three").bytes());
    runAside();
    assertEquals(List.of(0), statuses());
    assertEquals("one two three", text("k"));
  }

  private List<Integer> statuses() {
    return connection.responses(41).stream().map(Response::status).toList();
  }

  @Test
  void oldPutInChunks_whileSchemasChange_isDone() {
    changeElsewhere();
    RequestBytes put = new RequestBytes(31, OLD_PUT).cache("ps").string("k").u8(0x88).i64(0);
    connection.send(put.string("one ").string("two").vInt(0).bytes());
    runAside();
    assertEquals(List.of(0), statuses());
    assertEquals("one two", text("k"));
  }

  @Test
  void iteration_thatBeginsWhileSchemasChange_isBegunAtOnce() {
    changeElsewhere();
    RequestBytes start =
        new RequestBytes(41, ITERATION_START).cache("ps").u8(1).u8(1).vInt(10).u8(0);
    assertEquals("1", connection.call(start).field("iteration id"));
    RequestBytes end = new RequestBytes(41, ITERATION_END).cache("ps").string("1");
    assertEquals(0, connection.call(end).status());
  }

  @Test
  void deepFile_hasAnError_andOthersGoOn() {
    assertEquals(0, put("good.proto", SCHEMA).status());
    String deep = "message M {".repeat(20_000);
    assertEquals(0, put("deep.proto", deep).status());
    assertTrue(get("deep.proto.errors").text("value").contains("nested too deeply"));
    assertEquals(0, put("comment.proto", "/** " + "@A(".repeat(50_000) + "*/").status());
    assertEquals("comment.proto\ndeep.proto", get(".errors").text("value"));
    assertEquals(0, putJson(MESSAGE).status());
    Map<String, String> save = Map.of("name", "deep.proto", "content", deep, "op", "s");
    assertEquals("n", task("@@schemas@createOrUpdate", save));
    connection.call(new RequestBytes(41, CLEAR).cache(CACHE));
    assertEquals(2, get(".errors").status());
  }

  @Test
  void hugeFile_isRefused() {
    String huge = " ".repeat(600_000);
    Response refused = put("huge.proto", huge);
    assertEquals(0x85, refused.status());
    assertEquals(
        "schema too long: size=600000, limit=524288; split it",
        refused.field("message").replaceFirst("^.*?: (?=schema)", ""));
    Map<String, String> save = Map.of("name", "huge.proto", "content", huge, "op", "s");
    assertTrue(task("@@schemas@createOrUpdate", save).contains("schema too long: size=600000"));
    assertEquals(2, get("huge.proto").status());
  }
}

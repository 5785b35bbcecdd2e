package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tasks that change caches, templates and aliases. */
class AdministrationTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int PING = 0x17;
  private static final int EXEC = 0x2B;
  private static final String CREATE = "@@cache@create";
  private static final String UPDATE_ATTRIBUTE = "@@cache@updateConfigurationAttribute";
  private static final String ASSIGN_ALIAS = "@@cache@assignAlias";

  private final TestServer server = new TestServer().withSchemas();
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private Response run(String task, Map<String, String> parameters) {
    RequestBytes request = new RequestBytes(41, EXEC).string(task).vInt(parameters.size());
    parameters.forEach((name, value) -> request.string(name).string(value));
    return connection.call(request);
  }

  private void succeed(String task, Map<String, String> parameters) {
    Response response = run(task, parameters);
    assertEquals(0, response.status(), response::toString);
  }

  private void fail(String part, String task, Map<String, String> parameters) {
    Response response = run(task, parameters);
    assertEquals(0x85, response.status(), response::toString);
    assertTrue(response.field("message").contains(part), response.field("message"));
  }

  private CacheConfig config(String cache) {
    return Objects.requireNonNull(server.context.catalog().config(cache));
  }

  private void create(String name, String content) {
    String document = "<local-cache statistics=\"true\">" + content + "</local-cache>";
    succeed(CREATE, Map.of("name", name, "configuration", document));
  }

  @Test
  void attribute_isChangedForLaterWrites() {
    create("c", "<expiration lifespan=\"1h\"/><memory max-count=\"100\"/>");
    succeed(
        UPDATE_ATTRIBUTE, Map.of("name", "c", "attribute", "expiration.lifespan", "value", "1s"));
    succeed(UPDATE_ATTRIBUTE, Map.of("name", "c", "attribute", "memory.max-count", "value", "5"));
    assertEquals(1000, config("c").lifespanMillis());
    for (int i = 0; i < 50; i++) {
      connection.call(
          new RequestBytes(41, PUT).cache("c").string("k" + i).defaultExpiry().string("v"));
    }
    assertEquals(5, Objects.requireNonNull(server.node.engine("c")).size());
    server.nowMillis += 1001;
    assertEquals(0, Objects.requireNonNull(server.node.engine("c")).size());
  }

  @ParameterizedTest
  @CsvSource({
    "memory.max-size, 1MB, can't be changed",
    "statistics, maybe, invalid attribute value",
    "owners, 3, can't be changed",
    "nonsense, 3, can't be changed",
    "expiration.lifespan, soon, invalid attribute value",
    "expiration.lifespan, -2, invalid attribute value",
    "expiration.max-idle, 2h, max-idle",
    "memory.max-count, -1, invalid attribute value",
    "memory.max-count, many, invalid attribute value"
  })
  void otherAttributes_areRefusedByName(String attribute, String value, String part) {
    create("c", "<expiration lifespan=\"1h\"/><memory max-count=\"100\"/>");
    CacheConfig before = config("c");
    fail(part, UPDATE_ATTRIBUTE, Map.of("name", "c", "attribute", attribute, "value", value));
    assertEquals(before, config("c"));
  }

  @Test
  void attribute_ofNoCache_isRefused() {
    fail(
        "no such cache: cache=c",
        UPDATE_ATTRIBUTE,
        Map.of("name", "c", "attribute", "expiration.lifespan", "value", "1s"));
    fail("missing parameter: name=value", UPDATE_ATTRIBUTE, Map.of("name", "c", "attribute", "a"));
  }

  @Test
  void flagUpdate_changesWhatCanBeChanged() {
    create("c", "<expiration lifespan=\"1h\"/>");
    String other = "<local-cache statistics=\"true\"><expiration max-idle=\"3s\"/></local-cache>";
    fail("already exists", CREATE, Map.of("name", "c", "configuration", other));
    succeed(CREATE, Map.of("name", "c", "configuration", other, "flags", "UPDATE"));
    assertEquals(-1, config("c").lifespanMillis());
    assertEquals(3000, config("c").maxIdleMillis());
    fail(
        "attributes=[segments]",
        CREATE,
        Map.of("name", "c", "configuration", "<local-cache segments=\"8\"/>", "flags", "UPDATE"));
    succeed(
        CREATE,
        Map.of("name", "new", "configuration", "<local-cache/>", "flags", "VOLATILE,UPDATE"));
    succeed(CREATE, Map.of("name", "kept", "flags", "PERMANENT"));
    succeed("@@cache@remove", Map.of("name", "kept", "flags", "PERMANENT"));
    fail("flag=OTHER", CREATE, Map.of("name", "x", "flags", "OTHER"));
  }

  @Test
  void template_isUsedByNameAndByReference() {
    String document = "<local-cache><expiration lifespan=\"7s\"/></local-cache>";
    Map<String, String> template = Map.of("name", "t", "configuration", document);
    succeed("@@template@create", template);
    fail("template already exists", "@@template@create", template);
    succeed(CREATE, Map.of("name", "a", "template", "t"));
    create("b", "");
    succeed(
        CREATE,
        Map.of("name", "d", "configuration", "<local-cache name=\"d\" configuration=\"t\"/>"));
    assertEquals(7000, config("a").lifespanMillis());
    assertEquals(-1, config("b").lifespanMillis());
    assertEquals(7000, config("d").lifespanMillis());
    assertTrue(run("@@cache@templates", Map.of()).field("result").startsWith("[\"t\","));
    succeed("@@template@remove", Map.of("name", "t"));
    fail("unknown cache template: name=t", CREATE, Map.of("name", "e", "template", "t"));
    fail("can't be removed", "@@template@remove", Map.of("name", "org.infinispan.DIST_SYNC"));
    assertEquals(2, connection.call(get("a")).status());
  }

  private static RequestBytes get(String cache) {
    return new RequestBytes(41, GET).cache(cache).string("k");
  }

  private static RequestBytes put(String cache, String value) {
    return new RequestBytes(41, PUT).cache(cache).string("k").u8(0x88).string(value);
  }

  @Test
  void alias_leadsToItsCache_andToAnotherWhenItIsAssignedAnew() {
    create("a", "");
    create("b", "");
    connection.call(put("a", "1"));
    connection.call(put("b", "2"));
    assertEquals(0x84, connection.call(get("x")).status());
    succeed(ASSIGN_ALIAS, Map.of("name", "a", "alias", "x"));
    assertEquals(0, connection.call(new RequestBytes(41, PING).cache("x")).status());
    assertEquals("1", connection.call(get("x")).text("value"));
    connection.call(put("x", "3"));
    assertEquals("3", connection.call(get("a")).text("value"));
    succeed(ASSIGN_ALIAS, Map.of("name", "b", "alias", "x"));
    assertEquals("2", connection.call(get("x")).text("value"));
    succeed("@@cache@remove", Map.of("name", "b"));
    assertEquals(0x84, connection.call(get("x")).status());
  }

  @Test
  void alias_thatIsACache_orOfNone_isRefused() {
    create("a", "");
    create("b", "");
    fail("alias=b", ASSIGN_ALIAS, Map.of("name", "a", "alias", "b"));
    fail("no such cache", ASSIGN_ALIAS, Map.of("name", "none", "alias", "y"));
    fail("no flags", ASSIGN_ALIAS, Map.of("name", "a", "alias", "y", "flags", "VOLATILE"));
    fail("invalid cache name", ASSIGN_ALIAS, Map.of("name", "a", "alias", " "));
    succeed(ASSIGN_ALIAS, Map.of("name", "a", "alias", "y"));
    fail("is an alias", CREATE, Map.of("name", "y"));
    assertFalse(run("@@cache@names", Map.of()).field("result").contains("\"y\""));
  }

  @Test
  void aliases_ofADocument_areAssigned() {
    String document = "<local-cache aliases=\"p q\"/>";
    succeed(CREATE, Map.of("name", "a", "configuration", document));
    connection.call(put("a", "1"));
    assertEquals("1", connection.call(get("q")).text("value"));
    create("b", "");
    String taken = "{\"local-cache\":{\"aliases\":[\"r\",\"b\"]}}";
    fail("alias=b", CREATE, Map.of("name", "c", "configuration", taken));
    assertEquals(0x84, connection.call(get("c")).status());
  }

  @Test
  void indexTasks_areRefusedByName() {
    fail("not indexed", "@@cache@reindex", Map.of("name", "c"));
    fail("not indexed", "@@cache@updateindexschema", Map.of("name", "c"));
  }
}

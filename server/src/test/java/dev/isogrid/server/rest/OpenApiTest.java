package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The OpenAPI document, compared with the server. Replay with -Dseed=N. */
class OpenApiTest {
  private static final long SEED = Long.getLong("seed", System.nanoTime());
  private static final int ROUNDS = 4_000;
  private static final int DEEP_ROUNDS = 300_000;

  private static final List<String> VALUES =
      List.of(
          "plain",
          "proto",
          "absent",
          "k",
          "sample.proto",
          "counted",
          "1",
          "-1",
          "9223372036854775808",
          "true",
          "AVAILABLE",
          "info",
          "base64",
          "expiration.lifespan",
          "%20",
          "%C3%A9",
          "%00",
          "*",
          "x".repeat(300));

  private static final List<String> BODIES =
      List.of(
          "",
          "value",
          "{\"local-cache\":{}}",
          "{\"local-cache\":{\"statistics\":true,\"memory\":{\"max-count\":\"10\"}}}",
          "{\"strong-counter\":{\"initial-value\":3}}",
          "<local-cache/>",
          "syntax = \"proto3\"; message M { int32 a = 1; }",
          "{\"_type\":\"string\",\"_value\":\"x\"}",
          "{",
          "\u0000\u00ff");

  private static final List<String> FIELDS =
      List.of(
          "Accept: application/json",
          "Accept: text/plain",
          "Accept: application/yaml",
          "Accept: image/png",
          "Content-Type: application/json",
          "Content-Type: application/xml",
          "Content-Type: text/plain; charset=utf-8",
          "Content-Type: nonsense",
          "If-None-Match: *",
          "If-Match: \"1\"",
          "timeToLiveSeconds: 1",
          "timeToLiveSeconds: x",
          "Key-Content-Type: application/x-java-object;type=java.lang.Integer",
          "flags: SKIP_CACHE_LOAD",
          "Origin: http://page.example");

  /** A request of the document. */
  private record Operation(
      String method, String path, List<String> parameters, List<String> statuses) {}

  private final TestServer server = new TestServer();
  private final SplittableRandom random = new SplittableRandom(SEED);

  @BeforeEach
  void start() {
    server.catalog.begin();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private TestResponse document(String accept) {
    TestResponse answer = server.connect().get("/openapi", "Accept: " + accept);
    assertEquals(200, answer.status());
    return answer;
  }

  /** The document, whose JSON a YAML parser understands. */
  @SuppressWarnings("unchecked") // objects of JSON have texts as names
  private static Map<String, Object> parsed(String text) {
    return (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromString(text);
  }

  @SuppressWarnings("unchecked") // objects of JSON have texts as names
  private static Map<String, Object> object(Map<String, Object> in, String name) {
    return (Map<String, Object>) Objects.requireNonNull(in.get(name), name);
  }

  @SuppressWarnings("unchecked") // objects of JSON have texts as names
  private static List<Map<String, Object>> list(Map<String, Object> in, String name) {
    return (List<Map<String, Object>>) in.getOrDefault(name, List.of());
  }

  private List<Operation> operations() {
    Map<String, Object> document = parsed(document("application/json").text());
    assertEquals("3.1.0", document.get("openapi"));
    List<Operation> operations = new ArrayList<>();
    object(document, "paths").keySet().forEach(path -> add(operations, document, path));
    return operations;
  }

  private static void add(List<Operation> to, Map<String, Object> document, String path) {
    Map<String, Object> item = object(object(document, "paths"), path);
    for (String method : item.keySet()) {
      if (!method.equals("parameters")) {
        Map<String, Object> operation = object(item, method);
        List<String> names =
            list(operation, "parameters").stream().map(p -> String.valueOf(p.get("name"))).toList();
        to.add(
            new Operation(
                method.toUpperCase(Locale.ROOT),
                path,
                names,
                List.copyOf(object(operation, "responses").keySet())));
      }
    }
  }

  @Test
  void document_isTheSameWhereInfinispanHasIt() {
    TestResponse answer = server.connect().get("/rest/v3/openapi");
    assertEquals(200, answer.status());
    assertEquals(document("application/json").text(), answer.text());
  }

  @Test
  void document_isValid() {
    Map<String, Object> document = parsed(document("application/json").text());
    Set<String> ids = new HashSet<>();
    Set<String> templates = new HashSet<>();
    object(document, "paths")
        .keySet()
        .forEach(path -> {
          assertTrue(path.startsWith("/"), path);
          assertTrue(templates.add(path.replaceAll("\\{\\w+}", "{}")), path);
          List<String> names = new ArrayList<>();
          Matcher name = Pattern.compile("\\{(\\w+)}").matcher(path);
          while (name.find()) {
            names.add(name.group(1));
          }
          assertEquals(names.size(), Set.copyOf(names).size(), path);
          Map<String, Object> item = object(object(document, "paths"), path);
          assertEquals(
              names,
              list(item, "parameters").stream().map(p -> checkedName(p, "path")).toList(),
              path);
          item.keySet().stream()
              .filter(method -> !method.equals("parameters"))
              .forEach(method -> checkOperation(object(item, method), ids));
        });
    checkReferences(document, document);
  }

  private static String checkedName(Map<String, Object> parameter, String in) {
    assertEquals(in, parameter.get("in"));
    assertTrue(parameter.containsKey("schema"), parameter::toString);
    if (in.equals("path")) {
      assertEquals(true, parameter.get("required"));
    }
    return String.valueOf(parameter.get("name"));
  }

  private static void checkOperation(Map<String, Object> operation, Set<String> ids) {
    String id = String.valueOf(operation.get("operationId"));
    assertTrue(id.matches("[a-z][A-Za-z0-9_]*"), id);
    assertTrue(ids.add(id), () -> "twice: " + id);
    List<String> names =
        list(operation, "parameters").stream().map(p -> checkedName(p, "query")).toList();
    assertEquals(names.size(), Set.copyOf(names).size(), id);
    assertFalse(object(operation, "responses").isEmpty(), id);
    assertFalse(String.valueOf(operation.get("summary")).isBlank(), id);
  }

  /** Checks that each reference within a part of the document leads to something. */
  private static void checkReferences(Map<String, Object> document, Object part) {
    switch (part) {
      case Map<?, ?> map ->
          map.forEach((name, value) -> {
            if (name.equals("$ref")) {
              Object at = document;
              for (String step : String.valueOf(value).substring("#/".length()).split("/", -1)) {
                at = at instanceof Map<?, ?> here ? here.get(step) : null;
              }
              assertNotNull(at, () -> "leads nowhere: " + value);
            } else if (value != null) {
              checkReferences(document, value);
            }
          });
      case List<?> list -> list.forEach(each -> checkReferences(document, each));
      default -> {}
    }
  }

  @Test
  void document_hasEachRoute() {
    List<String> described =
        operations().stream()
            .map(o -> o.method() + " " + o.path().replaceAll("\\{\\w+}", "*"))
            .toList();
    for (Route route : server.routes()) {
      String path = String.join("/", route.pattern());
      assertTrue(described.contains(route.verb() + " /" + path), path);
    }
    assertTrue(described.contains("PUT /rest/v3/caches/*/entries/*"));
    assertTrue(described.contains("PUT /rest/v2/caches/*/*"));
    assertEquals(described.size(), described.stream().distinct().count());
  }

  @Test
  void document_inYaml_isTheSame() {
    TestResponse yaml = document("application/yaml");
    assertEquals("application/yaml", yaml.field("content-type"));
    assertFalse(yaml.text().startsWith("{"));
    assertEquals(parsed(document("*/*").text()), parsed(yaml.text()));
  }

  @Test
  void routes_ofVersion2_areInVersion3() {
    List<String> paths = server.routes().stream().map(r -> String.join("/", r.pattern())).toList();
    for (Route route : server.routes()) {
      String action = route.action();
      String path = String.join("/", route.pattern()) + (action == null ? "" : "/_" + action);
      if (path.matches("rest/v2/(tasks|security|login|logging)\\b.*|.*-availability")) {
        assertTrue(paths.contains(path.replace("rest/v2", "rest/v3")), path);
      }
    }
    assertEquals(200, server.connect().get("/rest/v3/login/_config").status());
    assertEquals(200, server.connect().get("/rest/v3/tasks").status());
    String roles = server.connect().get("/rest/v3/security/roles/_detailed").text();
    assertTrue(roles.contains("permissions"), roles);
    assertEquals(
        "AVAILABLE", server.connect().get("/rest/v3/caches/plain/_get-availability").text());
  }

  @Test
  void requests_ofTheDocument_areAnsweredAsItSays() {
    send(ROUNDS);
  }

  @Test
  @Tag("deep")
  void requests_ofTheDocument_areAnsweredAsItSays_many() {
    send(DEEP_ROUNDS);
  }

  private void send(int rounds) {
    List<Operation> operations = operations();
    for (int round = 0; round < rounds; round++) {
      Operation operation = operations.get(random.nextInt(operations.size()));
      String target = target(operation);
      List<String> fields = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        fields.add(any(FIELDS));
      }
      byte[] body = any(BODIES).getBytes(StandardCharsets.ISO_8859_1);
      TestClient client = server.connect();
      client.send(request(operation.method(), target, fields, body));
      String answer = new String(client.received(), StandardCharsets.ISO_8859_1);
      String asked = "seed=%d, %s %s %s".formatted(SEED, operation.method(), target, fields);
      assertTrue(answer.startsWith("HTTP/1.1 "), () -> "no answer: " + asked);
      String status = answer.substring(9, 12);
      assertTrue(operation.statuses().contains(status), () -> asked + ": " + answer);
      boolean ignores = !server.catalog.ignored().names().isEmpty(); // an earlier request did that
      boolean mayBe5xx = status.equals("507") || (ignores && status.equals("503"));
      assertFalse(status.startsWith("5") && !mayBe5xx, () -> asked + ": " + answer);
      client.close();
      server.forget(client);
    }
  }

  private static byte[] request(String method, String target, List<String> fields, byte[] body) {
    String lines = fields.stream().distinct().map(f -> f + "\r\n").collect(Collectors.joining());
    String head =
        "%s %s HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n%s\r\n"
            .formatted(method, target, body.length, lines);
    byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    return all;
  }

  private String target(Operation operation) {
    StringBuilder target = new StringBuilder(operation.path());
    for (int at = target.indexOf("{"); at >= 0; at = target.indexOf("{")) {
      target.replace(at, target.indexOf("}") + 1, any(VALUES));
    }
    char separator = '?';
    for (String name : operation.parameters()) {
      if (random.nextInt(4) > 0) {
        target.append(separator).append(name).append('=').append(any(VALUES));
        separator = '&';
      }
    }
    return target.toString();
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}

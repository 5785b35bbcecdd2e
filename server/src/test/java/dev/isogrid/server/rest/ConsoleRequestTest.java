package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleRequestTest {
  private static final String LIST = "/dev/isogrid/console/files";

  /** The bytes that a browser loads before it shows something. */
  private static final int FIRST_VIEW_MAX = 300_000;

  private final TestServer server = new TestServer();
  private final TestClient client = server.connect();

  @AfterEach
  void close() {
    server.close();
  }

  private static List<String> names() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ConsoleRequestTest.class.getResourceAsStream(LIST))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split(" ", 2)[0])
          .toList();
    }
  }

  @Test
  void files_areAllOfTheList_andNoneIsMissingThere() throws Exception {
    int sum = 0;
    for (String name : names()) {
      TestResponse file = client.get("/console/" + name);
      assertEquals(200, file.status(), name);
      sum += file.body().length;
    }
    assertTrue(sum < FIRST_VIEW_MAX, "bytes: " + sum);
    URL list = Objects.requireNonNull(ConsoleRequestTest.class.getResource(LIST));
    if (list.getProtocol().equals("file")) { // of the sources; a jar was checked when it was made
      TreeSet<String> there = new TreeSet<>(List.of("preact.js", "hooks.js"));
      try (var folder = Files.list(Path.of(list.toURI()).resolveSibling("."))) {
        folder
            .map(path -> path.getFileName().toString())
            .filter(name -> !name.equals("files"))
            .forEach(there::add);
      }
      assertEquals(there, new TreeSet<>(names()));
    }
  }

  @Test
  void startPage_hasRulesThatLetOnlyOwnScriptsRun() {
    for (String agent : List.of("curl/8.0", "Mozilla/5.0")) {
      TestResponse page = client.get("/console/", "User-Agent: " + agent);
      assertEquals(200, page.status());
      assertEquals("text/html; charset=utf-8", page.header("content-type"));
      String policy = page.field("content-security-policy");
      assertTrue(policy.startsWith("default-src 'self';"), policy);
      assertTrue(policy.contains("frame-ancestors 'none'"), policy);
      assertFalse(policy.contains("unsafe"), policy);
      assertEquals("nosniff", page.header("x-content-type-options"));
      assertEquals("DENY", page.header("x-frame-options"));
      assertEquals("no-referrer", page.header("referrer-policy"));
      assertEquals("no-cache", page.header("cache-control"));
    }
  }

  @Test
  void startPage_holdsNoScriptAndNoStyleOfItsOwn() {
    String page = client.get("/console/index.html").text();
    assertFalse(page.contains("style="), page);
    assertFalse(page.contains("<style"), page);
    assertFalse(page.matches("(?s).*<script[^>]*>[^<].*"), page);
    assertFalse(page.matches("(?s).*\\son[a-z]+=.*"), page);
  }

  @Test
  void scripts_areModulesThatImportByRelativeNames() throws IOException {
    for (String name : names()) {
      if (name.endsWith(".js")) {
        TestResponse script = client.get("/console/" + name);
        assertEquals("text/javascript; charset=utf-8", script.header("content-type"));
        String text = script.text();
        assertFalse(text.matches("(?s).*from ?[\"'][^.\"'][^\"'\\n]*[\"'].*"), name);
      }
    }
  }

  @Test
  void page_withoutASlash_isLedToItsFolder() {
    TestResponse moved = client.get("/console");
    assertEquals(301, moved.status());
    assertEquals("console/", moved.header("location"));
    assertEquals(200, client.get("/console/?x=/y").status());
    assertEquals(301, client.get("/console?x=/").status());
  }

  @Test
  void file_thatTheClientHas_isNotSentAgain() {
    String tag = client.get("/console/preact.js").etag();
    assertTrue(tag.matches("\"[0-9a-f]{16}\""), tag);
    TestResponse same = client.get("/console/preact.js", "If-None-Match: \"x\", " + tag + "");
    assertEquals(304, same.status());
    assertEquals(tag, same.etag());
    assertEquals(200, client.get("/console/hooks.js", "If-None-Match: " + tag).status());
  }

  @Test
  void file_isCompressedForClientsThatTakeThat() throws IOException {
    TestResponse plain = client.get("/console/preact.js");
    assertNull(plain.header("content-encoding"));
    assertEquals("Accept-Encoding", plain.header("vary"));
    TestResponse small = client.get("/console/preact.js", "Accept-Encoding: br, gzip;q=0.5");
    assertEquals("gzip", small.header("content-encoding"));
    assertFalse(plain.etag().equals(small.etag()), small.etag());
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(small.body()))) {
      assertArrayEquals(plain.body(), in.readAllBytes());
    }
    TestResponse refused = client.get("/console/preact.js", "Accept-Encoding: gzip;q=0.0");
    assertNull(refused.header("content-encoding"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/absent.js",
        "/console/files",
        "/console/../files",
        "/console/..%2ffiles",
        "/console/%2e%2e/files",
        "/console/sub/index.html",
        "/console/META-INF/MANIFEST.MF",
        "/console//../../../../etc/passwd",
        "/console/dev/isogrid/server/Main.class",
        "/console/index.html%00.js"
      })
  void names_thatAreNotInTheList_areNotFound(String target) {
    TestResponse absent = client.get(target);
    assertEquals(404, absent.status());
    assertEquals("text/plain", absent.header("content-type"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS"})
  void methods_thatChangeSomething_areRefused(String method) {
    TestResponse refused = client.request(method, "/console/");
    assertEquals(405, refused.status());
    assertEquals("GET, HEAD", refused.header("allow"));
  }

  @Test
  void head_hasTheFieldsOfTheFile_andNoBody() {
    TestResponse file = client.get("/console/preact.js");
    TestResponse head = client.request("HEAD", "/console/preact.js");
    assertEquals(200, head.status());
    assertEquals(0, head.body().length);
    assertEquals(String.valueOf(file.body().length), head.header("content-length"));
    assertEquals(file.etag(), head.etag());
  }

  @Test
  void files_needNoLogin_butFiguresDo(@TempDir Path folder) {
    TestClient stranger = server.connect(server.secured(folder));
    assertEquals(200, stranger.get("/console/").status());
    assertEquals(200, stranger.get("/console/preact.js").status());
    assertEquals(401, stranger.get("/rest/v2/container").status());
  }

  @Test
  void page_ofAnUnknownHostOrOrigin_isRefused() {
    client.send("GET /console/ HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assertEquals(421, client.next(false).status());
    assertEquals(403, client.get("/console/", "Origin: http://evil.example").status());
  }

  @Test
  void files_areReadAtTheFirstRequest_andAwayFromTheEventLoop() {
    server.holding = true;
    client.send("GET /console/ HTTP/1.1\r\nHost: x\r\n\r\n");
    assertEquals(1, server.held.size());
    server.held.remove().run();
    client.collect();
    assertEquals(200, client.next(false).status());
    client.send("GET /console/ HTTP/1.1\r\nHost: x\r\n\r\n");
    assertEquals(0, server.held.size());
    assertEquals(200, client.next(false).status());
  }

  @Test
  void console_thatIsNotOnTheClassPath_isNotFound() {
    ConsoleFiles none = new ConsoleFiles(new ClassLoader(null) {});
    assertNull(none.find("index.html"));
    assertTrue(none.isRead());
  }
}

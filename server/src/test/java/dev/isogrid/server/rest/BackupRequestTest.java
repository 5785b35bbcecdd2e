package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackupRequestTest {
  private static final String BACKUPS = "/rest/v2/container/backups";
  private static final String RESTORES = "/rest/v2/container/restores";
  private static final String JSON = "Content-Type: application/json";
  private static final String ZIP = "Content-Type: application/zip";
  private static final String PERMANENT =
      "{\"local-cache\":{\"encoding\":{\"media-type\":\"text/plain\"}}}";

  @TempDir Path folder;

  private TestServer server;
  private TestServer other;
  private TestClient client;
  private TestClient target;

  @BeforeEach
  void begin() {
    server = new TestServer(folder.resolve("one"));
    other = new TestServer(folder.resolve("two"));
    client = server.connect();
    target = other.connect();
  }

  @AfterEach
  void close() {
    server.close();
    other.close();
  }

  private byte[] backup(String name) {
    assertEquals(202, client.post(BACKUPS + "/" + name, "").status());
    TestResponse got = client.get(BACKUPS + "/" + name);
    assertEquals(200, got.status(), got::text);
    assertEquals("application/zip", got.header("content-type"));
    assertEquals("attachment; filename=\"" + name + ".zip\"", got.header("content-disposition"));
    return got.body();
  }

  private String restored(byte[] archive) {
    assertEquals(202, target.request("POST", RESTORES + "/r", archive, ZIP).status());
    TestResponse done = target.get(RESTORES + "/r");
    assertEquals(201, done.status(), done::text);
    return done.text();
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      assertEquals(204, client.put("/rest/v2/caches/plain/k" + i, "v" + i).status());
    }
  }

  @Test
  void restore_inAnotherServer_hasAllOfTheBackup() {
    fill(500);
    assertEquals(200, client.post("/rest/v2/caches/made", PERMANENT, JSON).status());
    client.put("/rest/v2/caches/made/a", "x", "timeToLiveSeconds: 100", "maxIdleTimeSeconds: 50");
    client.post("/rest/v2/caches/made?action=assign-alias&alias=also", "");
    client.post("/rest/v2/schemas/a.proto", "message A { optional int32 n = 1; }");
    client.post("/rest/v2/counters/strong", "{\"strong-counter\":{\"initial-value\":5}}");
    client.post("/rest/v2/counters/strong?action=increment", "");
    client.post("/rest/v2/counters/weak", "{\"weak-counter\":{\"initial-value\":3}}");
    client.post("/rest/v2/counters/weak?action=add&delta=4", "");
    byte[] archive = backup("all");
    other.nowMillis += 30_000;
    assertEquals(
        "caches=[made, plain, proto], entries=501, expired=0, configurations kept=[]",
        restored(archive));
    assertEquals("500", target.get("/rest/v2/caches/plain?action=size").text());
    for (int i = 0; i < 500; i++) {
      assertEquals("v" + i, target.get("/rest/v2/caches/plain/k" + i).text());
    }
    TestResponse entry = target.get("/rest/v2/caches/made/a");
    assertEquals("x", entry.text());
    assertEquals("70", entry.header("timetoliveseconds"));
    assertEquals("50", entry.header("maxidletimeseconds"));
    assertEquals("x", target.get("/rest/v2/caches/also/a").text());
    assertEquals(
        "message A { optional int32 n = 1; }", target.get("/rest/v2/schemas/a.proto").text());
    assertEquals("6", target.get("/rest/v2/counters/strong").text());
    assertEquals("7", target.get("/rest/v2/counters/weak").text());
    assertTrue(Files.exists(folder.resolve("two/caches/made.json")), "the cache is permanent");
  }

  @Test
  void backup_isListedByItsName_andDeleted() throws IOException {
    assertEquals("[]", client.get(BACKUPS).text());
    assertEquals(404, client.get(BACKUPS + "/a").status());
    assertEquals(404, client.request("DELETE", BACKUPS + "/a").status());
    backup("a");
    assertEquals(200, client.request("HEAD", BACKUPS + "/a").status());
    assertEquals("[\"a\"]", client.get("/rest/v3/cluster/backups").text());
    assertEquals(409, client.post(BACKUPS + "/a", "").status());
    assertEquals(204, client.request("DELETE", BACKUPS + "/a").status());
    assertEquals("[]", client.get(BACKUPS).text());
    assertEquals(List.of(), files());
  }

  @Test
  void details_haveStateSizeAndTime() throws IOException {
    assertEquals("[]", client.get(BACKUPS + "?action=detailed").text());
    assertEquals("[]", client.get(RESTORES + "?action=detailed").text());
    byte[] archive = backup("a");
    long written = Files.getLastModifiedTime(folder.resolve("one/backups/a.zip")).toMillis();
    assertEquals(
        ("[{\"name\":\"a\",\"state\":\"DONE\",\"outcome\":\"\",\"entries_done\":0,"
                + "\"entries_total\":0,\"bytes\":%d,\"written_millis\":%d}]")
            .formatted(archive.length, written),
        client.get("/rest/v2/cluster/backups?action=detailed").text());
    String outcome = restored(archive);
    assertEquals(
        ("[{\"name\":\"r\",\"state\":\"DONE\",\"outcome\":\"%s\",\"entries_done\":0,"
                + "\"entries_total\":0}]")
            .formatted(outcome),
        target.get(RESTORES + "?action=detailed").text());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("one/backups"))) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  @Test
  void backup_ofSomeResources_hasNoOthers() {
    fill(3);
    client.put("/rest/v2/caches/proto/a", "x", "Content-Type: text/plain");
    client.post(BACKUPS + "/some", "{\"resources\":{\"caches\":[\"plain\"]}}", JSON);
    assertEquals(
        "caches=[plain], entries=3, expired=0, configurations kept=[]",
        restored(client.get(BACKUPS + "/some").body()));
  }

  @Test
  void backup_whileAnotherOneIsMade_isRefused() {
    server.holding = true;
    assertEquals(0, send("POST " + BACKUPS + "/a").length);
    server.held.remove().run(); // begins the backup, which waits in the queue
    client.collect();
    assertEquals(202, client.next(false).status());
    TestClient second = server.connect();
    server.holding = false;
    assertEquals(202, second.get(BACKUPS + "/a").status());
    assertEquals(
        "[{\"name\":\"a\",\"state\":\"RUNNING\",\"outcome\":\"\","
            + "\"entries_done\":0,\"entries_total\":0,\"bytes\":-1,\"written_millis\":-1}]",
        second.get(BACKUPS + "?action=detailed").text());
    TestResponse refused = second.post(BACKUPS + "/b", "");
    assertEquals(409, refused.status());
    assertEquals(
        "another one is under way: running=backup a; wait for its end, or delete it",
        refused.text());
    server.held.remove().run();
    assertEquals(200, second.get(BACKUPS + "/a").status());
  }

  private byte[] send(String request) {
    client.send(request + " HTTP/1.1\r\nHost: here:11222\r\n\r\n");
    return client.received();
  }

  @ParameterizedTest
  @ValueSource(strings = {".a", "a%2Fb", "..", "a%20b", ""})
  void backup_withNameThatIsNoFile_isRefused(String name) {
    assertTrue(client.post(BACKUPS + "/" + name, "").status() >= 400, name);
    assertFalse(Files.exists(folder.resolve("one/backups")));
  }

  @Test
  void backup_withoutDataFolder_saysWhatToDo() {
    try (TestServer volatileServer = new TestServer()) {
      TestResponse refused = volatileServer.connect().post(BACKUPS + "/a", "");
      assertEquals(400, refused.status());
      assertEquals(
          "no folder for backups: the server has no data folder; start it with --data FOLDER",
          refused.text());
    }
  }

  @Test
  void backup_ofUnknownCache_failsWithItsName() {
    client.post(BACKUPS + "/a", "{\"resources\":{\"caches\":[\"nowhere\"]}}", JSON);
    TestResponse failed = client.get(BACKUPS + "/a");
    assertEquals(500, failed.status());
    assertTrue(
        failed.text().startsWith("no such resource on this server: kind=caches, name=nowhere"));
    String details = client.get(BACKUPS + "?action=detailed").text();
    assertTrue(
        details.startsWith("[{\"name\":\"a\",\"state\":\"FAILED\",\"outcome\":\"no "), details);
    assertEquals(204, client.request("DELETE", BACKUPS + "/a").status());
    assertEquals(404, client.get(BACKUPS + "/a").status());
  }

  @Test
  void restore_ofFormWithResources_restoresThose() {
    fill(20);
    byte[] archive = backup("all");
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    form.writeBytes(
        ("--xyz\r\nContent-Disposition: form-data; name=\"resources\"\r\n\r\n"
                + "{\"caches\":[\"proto\"]}\r\n--xyz\r\n"
                + "Content-Disposition: form-data; name=\"backup\"; filename=\"all.zip\"\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    form.writeBytes(archive);
    form.writeBytes("\r\n--xyz--\r\n".getBytes(StandardCharsets.UTF_8));
    String type = "Content-Type: multipart/form-data; boundary=xyz";
    assertEquals(202, target.request("POST", RESTORES + "/r", form.toByteArray(), type).status());
    assertEquals(
        "caches=[proto], entries=0, expired=0, configurations kept=[]",
        target.get(RESTORES + "/r").text());
    assertEquals("[\"r\"]", target.get(RESTORES).text());
    assertEquals(409, target.request("POST", RESTORES + "/r", archive, ZIP).status());
  }

  /** Infinispan's client sends an empty object if its caller selects nothing. */
  @Test
  void emptyResources_areAll() {
    fill(20);
    client.post(BACKUPS + "/all", "{\"resources\":{}}", JSON);
    byte[] archive = client.get(BACKUPS + "/all").body();
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    form.writeBytes(
        "--xyz\r\nContent-Disposition: form-data; name=backup; filename=all.zip\r\n\r\n"
            .getBytes(StandardCharsets.UTF_8));
    form.writeBytes(archive);
    form.writeBytes(
        ("\r\n--xyz\r\nContent-Disposition: form-data; name=resources\r\n"
                + "Content-Type: text/plain; charset=UTF-8\r\n\r\n{}\r\n--xyz--")
            .getBytes(StandardCharsets.UTF_8));
    String type = "Content-Type: multipart/form-data; boundary=xyz";
    assertEquals(202, target.request("POST", RESTORES + "/r", form.toByteArray(), type).status());
    assertEquals(
        "caches=[plain, proto], entries=20, expired=0, configurations kept=[]",
        target.get(RESTORES + "/r").text());
  }

  @Test
  void restore_largerThanOtherBodies_isTakenInPieces() {
    String large = "x".repeat(50_000);
    for (int i = 0; i < 50; i++) {
      byte[] value = new byte[50_000];
      new java.util.SplittableRandom(i).nextBytes(value);
      assertEquals(204, client.request("PUT", "/rest/v2/caches/plain/" + i, value).status());
    }
    byte[] archive = backup("large");
    assertTrue(archive.length > 10 * TestServer.CONTENT_LENGTH_MAX, "for what it is worth");
    target.send(
        "POST %s/r HTTP/1.1\r\nHost: here\r\n%s\r\nContent-Length: %d\r\n\r\n"
            .formatted(RESTORES, ZIP, archive.length));
    for (int at = 0; at < archive.length; at += 10_000) {
      target.send(java.util.Arrays.copyOfRange(archive, at, Math.min(archive.length, at + 10_000)));
    }
    assertEquals(202, target.next(false).status());
    assertEquals(
        "caches=[plain, proto], entries=50, expired=0, configurations kept=[]",
        target.get(RESTORES + "/r").text());
    assertEquals(413, target.put("/rest/v2/caches/plain/a", large.repeat(3)).status());
  }

  @Test
  void restore_whoseUploadIsBrokenOff_leavesNothing() throws IOException {
    target.send(
        "POST %s/r HTTP/1.1\r\nHost: here\r\n%s\r\nContent-Length: 1000\r\n\r\nabc"
            .formatted(RESTORES, ZIP));
    assertEquals(202, other.connect().get(RESTORES + "/r").status());
    target.close();
    assertEquals(404, other.connect().get(RESTORES + "/r").status());
    try (Stream<Path> files = Files.list(folder.resolve("two/backups"))) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void restore_ofArchiveOfTheServer_bringsRemovedEntriesBack() {
    fill(10);
    backup("mine");
    client.post("/rest/v2/caches/plain?action=clear", "");
    client.put("/rest/v2/caches/plain/new", "stays");
    String order = "{\"location\":\"mine.zip\",\"resources\":{\"caches\":[\"plain\"]}}";
    assertEquals(202, client.post(RESTORES + "/back", order, JSON).status());
    assertEquals(201, client.get(RESTORES + "/back").status());
    assertEquals("11", client.get("/rest/v2/caches/plain?action=size").text());
    assertEquals(204, client.request("DELETE", RESTORES + "/back").status());
    assertEquals(404, client.get(RESTORES + "/back").status());
    String missing = "{\"location\":\"../mine\"}";
    assertEquals(400, client.post(RESTORES + "/x", missing, JSON).status());
    assertEquals(415, client.post(RESTORES + "/x", "a", "Content-Type: text/css").status());
  }

  @Test
  void restore_intoCacheOfOtherMediaType_isRefusedBeforeAnythingChanges() {
    fill(10);
    assertEquals(200, client.post("/rest/v2/caches/made", PERMANENT, JSON).status());
    byte[] archive = backup("all");
    String binary =
        "{\"local-cache\":{\"encoding\":{\"media-type\":\"application/octet-stream\"}}}";
    assertEquals(200, target.post("/rest/v2/caches/made", binary, JSON).status());
    assertEquals(202, target.request("POST", RESTORES + "/r", archive, ZIP).status());
    TestResponse failed = target.get(RESTORES + "/r");
    assertEquals(500, failed.status());
    assertTrue(failed.text().startsWith("cache exists with other media types: cache=made"));
    assertEquals("0", target.get("/rest/v2/caches/plain?action=size").text());
  }

  @Test
  void restore_intoCacheOfOtherStorage_keepsItsConfiguration() {
    client.post("/rest/v2/caches/made", PERMANENT, JSON);
    client.put("/rest/v2/caches/made/a", "x");
    byte[] archive = backup("all");
    String heap =
        "{\"local-cache\":{\"encoding\":{\"media-type\":\"text/plain\"},"
            + "\"memory\":{\"storage\":\"HEAP\",\"max-count\":\"100\"}}}";
    assertEquals(200, target.post("/rest/v2/caches/made", heap, JSON).status());
    assertEquals(
        "caches=[made, plain, proto], entries=1, expired=0, configurations kept=[made]",
        restored(archive));
    assertEquals("x", target.get("/rest/v2/caches/made/a").text());
  }

  @Test
  void restore_ofEntriesWhoseTimeIsOver_leavesThemOut() {
    fill(20);
    client.put("/rest/v2/caches/plain/k7", "x", "timeToLiveSeconds: 10");
    byte[] archive = backup("all");
    other.nowMillis += 10_000;
    assertEquals(
        "caches=[plain, proto], entries=19, expired=1, configurations kept=[]", restored(archive));
  }

  @Test
  void restore_ofDamagedArchive_isRefusedBeforeAnythingChanges() {
    fill(300);
    byte[] archive = backup("all");
    for (int at = 0; at < archive.length; at += 199) {
      byte[] damaged = archive.clone();
      damaged[at] ^= (byte) (1 << (at % 8));
      assertEquals(202, target.request("POST", RESTORES + "/r", damaged, ZIP).status());
      TestResponse done = target.get(RESTORES + "/r");
      String size = target.get("/rest/v2/caches/plain?action=size").text();
      if (done.status() == 201) { // it was a byte that means nothing, such as a time
        assertEquals("300", size, "offset " + at);
        target.post("/rest/v2/caches/plain?action=clear", "");
      } else {
        assertEquals(500, done.status());
        assertEquals("0", size, "offset " + at);
        assertTrue(done.text().startsWith("archive can't be restored: file="), done::text);
      }
      target.request("DELETE", RESTORES + "/r");
    }
    assertEquals(
        202,
        target
            .request("POST", RESTORES + "/r", java.util.Arrays.copyOf(archive, 500), ZIP)
            .status());
    assertTrue(target.get(RESTORES + "/r").text().contains("no ZIP file"));
  }

  @Test
  void restore_ofDamagedUpload_namesWhatTheClientSent() {
    assertEquals(202, target.request("POST", RESTORES + "/r", new byte[] {1}, ZIP).status());
    String text = target.get(RESTORES + "/r").text();
    assertTrue(text.startsWith("archive can't be restored: file=body of the request, "), text);
    String form =
        "--b\r\nContent-Disposition: form-data; name=\"backup\"; filename=\"mine.zip\"\r\n\r\n"
            + "x\r\n--b--\r\n";
    String type = "Content-Type: multipart/form-data; boundary=b";
    assertEquals(202, target.post(RESTORES + "/s", form, type).status());
    text = target.get(RESTORES + "/s").text();
    assertTrue(text.startsWith("archive can't be restored: file=mine.zip, "), text);
    String nameless = form.replace("; filename=\"mine.zip\"", "");
    assertEquals(202, target.post(RESTORES + "/t", nameless, type).status());
    text = target.get(RESTORES + "/t").text();
    assertTrue(text.startsWith("archive can't be restored: file=part backup of the form"), text);
  }
}

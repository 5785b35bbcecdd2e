package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.security.QuickUsers;
import dev.isogrid.server.security.Users;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that arrive slowly or incompletely: the limits of their memory and time. */
class UnfinishedRequestTest {
  private static final String ENTRY = "/rest/v2/caches/plain/k";
  private static final String PART = "x".repeat(20_000);

  @TempDir private Path folder;

  private final TestServer server = new TestServer();

  @BeforeEach
  void createUsers() {
    Users users = QuickUsers.in(folder, "default");
    users.create("ada", "secret", List.of("admin"));
    users.create("obs", "secret", List.of("observer"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static String basic(String user) {
    byte[] pair = (user + ":secret").getBytes(StandardCharsets.US_ASCII);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(pair) + "\r\n";
  }

  private static String put(int length, String fields) {
    return "PUT %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n"
        .formatted(ENTRY, length, fields);
  }

  private static String get(String fields) {
    return "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n".formatted(ENTRY, fields);
  }

  @Test
  void put_byAStranger_is401AtItsHead() {
    TestClient stranger = server.connect(server.secured(folder));
    stranger.send(put(60_000, ""));
    assertEquals(401, stranger.next(false).status());
    stranger.send(PART.repeat(3) + get(basic("ada")));
    assertEquals(404, stranger.next(false).status());
    assertTrue(stranger.isOpen());
  }

  @Test
  void put_byAStrangerWithMuchToCome_is401AndTheEnd() {
    TestClient stranger = server.connect(server.secured(folder));
    stranger.send(put(TestServer.CONTENT_LENGTH_MAX, ""));
    TestResponse response = stranger.next(false);
    assertEquals(401, response.status());
    assertEquals("close", response.header("connection"));
    assertFalse(stranger.isOpen());
  }

  @Test
  void chunks_ofAStranger_arePassedOverUpToABound() {
    TestClient stranger = server.connect(server.secured(folder));
    stranger.send("PUT " + ENTRY + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
    assertEquals(401, stranger.next(false).status());
    String chunk = "4e20\r\n" + PART + "\r\n";
    stranger.send(chunk.repeat(3));
    assertTrue(stranger.isOpen());
    stranger.send(chunk);
    assertFalse(stranger.isOpen());
  }

  @Test
  void put_thatIsNotPermitted_is403AtItsHead() {
    TestClient observer = server.connect(server.secured(folder));
    observer.send(put(60_000, basic("obs")));
    assertEquals(403, observer.next(false).status());
    TestClient creator = server.connect(server.secured(folder));
    creator.send(
        "POST /rest/v2/caches/new HTTP/1.1\r\nContent-Length: 60000\r\n%s\r\n"
            .formatted(basic("obs")));
    assertEquals(403, creator.next(false).status());
  }

  @Test
  void expect_isAnsweredAfterThePermissionWasChecked() {
    TestClient stranger = server.connect(server.secured(folder));
    stranger.send(put(1, "Expect: 100-continue\r\n"));
    assertEquals(401, stranger.next(false).status());
    assertFalse(stranger.isOpen());
    TestClient user = server.connect(server.secured(folder));
    user.send(put(1, "Expect: 100-continue\r\n" + basic("ada")));
    assertEquals(100, user.next(false).status());
    user.send("x");
    assertEquals(204, user.next(false).status());
  }

  @Test
  void put_whileItsLoginIsChecked_isNotRead() {
    server.holding = true;
    TestClient user = server.connect(server.secured(folder));
    user.send(put(40_000, basic("ada")) + PART);
    assertFalse(user.channel.config().isAutoRead());
    assertTrue(server.allocator.metric().usedHeapMemory() == 0, "collected before the login");
    server.held.remove().run();
    user.collect();
    assertTrue(user.channel.config().isAutoRead());
    user.send(PART);
    assertEquals(204, user.next(false).status());
    assertEquals(1, server.engine("plain").size());
  }

  @Test
  void compressedBody_ofSomeSize_isInflatedOnAnotherThread() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(new byte[TestServer.CONTENT_LENGTH_MAX]);
      for (int i = 0; i < 1000; i++) {
        out.write((i * i) >> 3);
      }
    }
    server.holding = true;
    TestClient client = server.connect();
    byte[] body = packed.toByteArray();
    client.send(put(body.length, "Content-Encoding: gzip\r\n"));
    client.send(body);
    assertEquals(1, server.held.size());
    server.held.remove().run();
    client.collect();
    assertEquals(413, client.next(false).status());
  }

  @Test
  void body_forWhichThereIsNoMemory_waitsForIt() {
    Intake intake = Intake.of(50_000);
    RestProtocol bounded = server.bounded(intake);
    TestClient first = server.connect(bounded);
    TestClient second = server.connect(bounded);
    first.send(put(40_000, ""));
    first.send(PART);
    second.send(put(60_000, ""));
    second.send(PART);
    second.send(PART);
    assertFalse(second.channel.config().isAutoRead());
    assertTrue(first.channel.config().isAutoRead());
    first.channel.close();
    second.collect();
    assertTrue(second.channel.config().isAutoRead());
    second.channel.close();
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void body_thatWaitsForTooLong_is503AndTheNextGoesOn() {
    Intake intake = Intake.of(59_000);
    RestProtocol bounded = server.bounded(intake);
    TestClient first = server.connect(bounded);
    TestClient second = server.connect(bounded);
    for (TestClient client : new TestClient[] {first, second}) {
      client.send(put(50_000, ""));
      client.send(PART);
    }
    first.send(PART);
    second.send(PART);
    assertFalse(first.channel.config().isAutoRead());
    first.pass(10);
    TestResponse refused = first.next(false);
    assertEquals(503, refused.status());
    assertEquals("1", refused.header("retry-after"));
    assertFalse(first.isOpen());
    second.collect();
    assertTrue(second.channel.config().isAutoRead());
    second.send(PART.substring(0, 10_000));
    assertEquals(204, second.next(false).status());
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void body_thatComesSlowly_makesWayForOthers() {
    Intake intake = Intake.of(110_000);
    RestProtocol bounded = server.bounded(intake);
    TestClient slow = server.connect(bounded);
    slow.send(put(99_000, ""));
    slow.send(PART.repeat(4));
    TestClient other = server.connect(bounded);
    other.pass(4);
    other.send(put(80_000, ""));
    other.send(PART);
    other.send(PART);
    assertFalse(other.channel.config().isAutoRead());
    slow.collect();
    assertTrue(slow.isOpen());
    other.pass(2);
    slow.collect();
    assertEquals(408, slow.next(false).status());
    assertFalse(slow.isOpen());
    other.collect();
    assertTrue(other.channel.config().isAutoRead());
    other.send(PART.repeat(2));
    assertEquals(204, other.next(false).status());
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void body_thatCanNeverFit_is503AtOnce() {
    TestClient client = server.connect(server.bounded(Intake.of(30_000)));
    client.send(put(60_000, ""));
    client.send(PART);
    client.send(PART);
    client.pass(1);
    assertEquals(503, client.next(false).status());
  }

  @Test
  void smallCompleteRequests_takeNothingOfTheBudget() {
    Intake intake = new Intake(new InputBudget(1), new InputBudget(1));
    TestClient client = server.connect(server.bounded(intake));
    assertEquals(204, client.put(ENTRY, PART).status());
    assertEquals(PART, client.get(ENTRY).text());
  }

  @Test
  void head_thatDoesNotEnd_is408() {
    TestClient client = server.connect();
    client.send("GET " + ENTRY + " HTTP/1.1\r\nHost: loc");
    client.pass(29);
    assertTrue(client.isOpen());
    client.pass(20);
    assertEquals(408, client.next(false).status());
    assertFalse(client.isOpen());
  }

  @Test
  void body_thatStops_is408AndGivesItsMemoryBack() {
    Intake intake = Intake.of(1 << 20);
    TestClient client = server.connect(server.bounded(intake));
    client.send(put(60_000, ""));
    client.send(PART);
    assertTrue(intake.requests().bytesTaken() >= PART.length());
    client.pass(50);
    assertEquals(408, client.next(false).status());
    assertEquals(0, intake.requests().bytesTaken());
  }

  @Test
  void body_thatComesSlowlyButSteadily_isTaken() {
    TestClient client = server.connect();
    client.send(put(99_000, ""));
    for (int i = 0; i < 90; i++) {
      client.send("x".repeat(1100));
      client.pass(1);
    }
    assertEquals(204, client.next(false).status());
  }

  @Test
  void connection_ofAUser_mayBeSilent() {
    TestClient anybody = server.connect();
    assertEquals(404, anybody.get(ENTRY).status());
    anybody.send("\r\n");
    anybody.pass(3600);
    assertTrue(anybody.isOpen());
    TestClient user = server.connect(server.secured(folder));
    user.send(get(basic("ada")));
    user.pass(3600);
    assertTrue(user.isOpen());
  }

  @Test
  void connection_ofAStranger_endsWhenItIsSilent() {
    TestClient stranger = server.connect(server.secured(folder));
    stranger.send(get(""));
    assertEquals(401, stranger.next(false).status());
    stranger.pass(59);
    assertTrue(stranger.isOpen());
    stranger.pass(20);
    assertFalse(stranger.isOpen());
  }

  @Test
  void heads_ofStrangers_leaveTheBudgetOfUsersAlone() {
    Intake intake = Intake.of(40_000);
    RestProtocol secured = server.secured(folder, intake);
    for (int i = 0; i < 10; i++) {
      server.connect(secured).send(get("").substring(0, 50) + "x".repeat(2000));
    }
    assertTrue(intake.strangers().bytesTaken() <= 16 << 10);
    assertEquals(0, intake.requests().bytesTaken());
    TestClient user = server.connect(secured);
    user.send(put(30_000, basic("ada")));
    user.send(PART);
    user.send(PART.substring(0, 10_000));
    assertEquals(204, user.next(false).status());
  }

  @Test
  void request_thatEndsInAnError_is500AndTheNextGoesOn() {
    TestClient client = server.connect();
    server.broken = new StackOverflowError();
    assertEquals(500, client.get(ENTRY).status());
    assertEquals(500, client.get("/rest/v2/caches/plain?action=size").status());
    server.broken = new OutOfMemoryError("direct memory");
    assertEquals(503, client.get(ENTRY).status());
    server.broken = null;
    assertEquals(404, client.get(ENTRY).status());
  }
}

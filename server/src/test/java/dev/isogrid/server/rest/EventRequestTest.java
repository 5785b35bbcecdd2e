package dev.isogrid.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.ServerStopping;
import dev.isogrid.server.security.QuickUsers;
import dev.isogrid.server.security.Users;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import io.netty.channel.ChannelOutboundBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventRequestTest {
  private static final String CACHE = "/rest/v2/caches/plain";

  @TempDir private Path folder;

  private final TestServer server = new TestServer();
  private final TestClient writer = server.connect();
  private final TestClient listener = server.connect();
  private final List<Runnable> periodicBefore = List.copyOf(server.periodic);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void refusedListeners_leaveRoomForOthers() {
    String malformed = "/rest/v2/container?action=listen&includeCurrentState=maybe";
    for (int i = 0; i <= EventFeeds.FEEDS_MAX; i++) {
      assertEquals(400, server.connect().get(malformed).status());
    }
    listen("/rest/v2/container?action=listen");
  }

  /** Begins to listen; the head of the reply is dropped. */
  private void listen(String target, String... headers) {
    String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    listener.send("GET " + target + " HTTP/1.1\r\nHost: here:11222\r\n" + more + "\r\n");
    String head = new String(listener.received(), UTF_8);
    assertTrue(head.startsWith("HTTP/1.1 200 "), head);
    assertTrue(head.toLowerCase(Locale.ROOT).contains("content-type: text/event-stream"));
    assertTrue(head.contains("Cache-Control: no-cache\r\n"), head);
  }

  /** The events since the last call, without the frames of chunks. */
  private String events() {
    listener.collect();
    String all = new String(listener.received(), UTF_8);
    int body = all.startsWith("HTTP/") ? all.indexOf("\r\n\r\n") + 4 : 0;
    listener.forget();
    return all.substring(body).replaceAll("(?m)^[0-9a-f]+\r\n|\r\n", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {CACHE + "?action=listen", "/rest/v3/caches/plain/_listen"})
  void listen_toACache_tellsTheKeysOfChanges(String target) {
    listen(target);
    writer.put(CACHE + "/k", "1");
    writer.put(CACHE + "/k", "2");
    writer.request("DELETE", CACHE + "/k");
    assertEquals(
        """
        event: cache-entry-created
        data: "k"

        event: cache-entry-modified
        data: "k"

        event: cache-entry-removed
        data: "k"

        """,
        events());
    writer.put(CACHE + "/again", "1");
    assertEquals("event: cache-entry-created\ndata: \"again\"\n\n", events());
  }

  @Test
  void listen_asText_tellsKeysAsTheyAre() {
    listen(CACHE + "?action=listen", "Accept: text/plain");
    writer.put(CACHE + "/k", "1");
    assertEquals("event: cache-entry-created\ndata: k\n\n", events());
  }

  /** Browsers drop events without a line of data, and a last end of line counts. */
  @Test
  void listen_asText_tellsEmptyKeysAndEndsOfLines() {
    listen(CACHE + "?action=listen", "Accept: text/plain");
    put("");
    assertEquals("event: cache-entry-created\ndata: \n\n", events());
    put("a\r\nb\n");
    assertEquals("event: cache-entry-created\ndata: a\ndata: b\ndata: \n\n", events());
  }

  /** Writes an entry as a client of another protocol does. */
  private void put(String key) {
    BinaryKey stored = BinaryKey.of(key.getBytes(UTF_8));
    KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
    server.engine("plain").write(stored, stored.hash(), write.put(Bytes.of(new byte[0])));
  }

  @Test
  void listen_toKeysOfProtoStream_tellsThemAsJson() {
    listen("/rest/v2/caches/proto?action=listen");
    writer.put("/rest/v2/caches/proto/k", "1", "Content-Type: text/plain");
    String event = events();
    assertTrue(event.startsWith("event: cache-entry-created\ndata: "), event);
    assertTrue(event.contains("\"k\""), event);
  }

  /** Clients of Hot Rod may have messages of their own as keys. */
  @Test
  void listen_toMessagesWithoutASchema_tellsTheirBytes() {
    listen("/rest/v2/caches/proto?action=listen");
    putMessage();
    assertEquals("event: cache-entry-created\ndata: \"0x820101788a0100\"\n\n", events());
  }

  @Test
  void listen_toMessagesAsText_losesNone() {
    listen("/rest/v2/caches/proto?action=listen", "Accept: text/plain");
    putMessage();
    writer.put("/rest/v2/caches/proto/k", "1", "Content-Type: text/plain");
    String events = events();
    assertEquals(2, events.split("event: cache-entry-created\ndata: ", -1).length - 1, events);
    assertTrue(events.endsWith("data: k\n\n"), events);
  }

  /** Writes an entry whose key is a message of an unknown type. */
  private void putMessage() {
    BinaryKey key = BinaryKey.of(HexFormat.of().parseHex("820101788a0100"));
    KeyWrite<BinaryKey, Bytes> write = new KeyWrite<>();
    server.engine("proto").write(key, key.hash(), write.put(Bytes.of(new byte[0])));
  }

  @Test
  void listen_whenTheClientEnds_isOver() {
    listen(CACHE + "?action=listen");
    listener.close();
    writer.put(CACHE + "/k", "1");
    assertEquals(periodicBefore, server.periodic);
  }

  @ParameterizedTest
  @ValueSource(strings = {CACHE + "?action=listen", "/rest/v2/container?action=listen"})
  void listen_whileNothingHappens_sendsComments(String target) {
    listen(target);
    listener.forget();
    look();
    assertEquals("", events());
    for (int i = 0; i < 2; i++) {
      server.nowNanos += TimeUnit.SECONDS.toNanos(15);
      look();
      assertEquals(":\n", events());
      look();
      assertEquals("", events());
    }
  }

  @Test
  void listen_ofAClientThatTakesNothing_ends() {
    listen(CACHE + "?action=listen");
    ChannelOutboundBuffer output = listener.channel.unsafe().outboundBuffer();
    output.setUserDefinedWritability(1, false);
    look();
    listener.collect();
    server.nowNanos += TimeUnit.SECONDS.toNanos(59);
    look();
    listener.collect();
    assertTrue(listener.isOpen());
    server.nowNanos += TimeUnit.SECONDS.toNanos(1);
    look();
    listener.collect();
    assertFalse(listener.isOpen());
    assertEquals(periodicBefore, server.periodic);
  }

  @Test
  void listen_ofAClientThatTakesSlowly_goesOn() {
    listen(CACHE + "?action=listen");
    ChannelOutboundBuffer output = listener.channel.unsafe().outboundBuffer();
    for (int i = 0; i < 3; i++) {
      output.setUserDefinedWritability(1, false);
      look();
      listener.collect();
      server.nowNanos += TimeUnit.SECONDS.toNanos(59);
      look();
      listener.collect();
      output.setUserDefinedWritability(1, true);
      look();
      listener.collect();
    }
    assertTrue(listener.isOpen());
  }

  @Test
  void listen_whenTheServerStops_ends() {
    listen(CACHE + "?action=listen");
    listener.fire(ServerStopping.EVENT);
    assertFalse(listener.isOpen());
  }

  @Test
  void listen_whenACacheIsRemoved_ends() {
    listen(CACHE + "?action=listen");
    look();
    listener.collect();
    assertTrue(listener.isOpen());
    server.node.removeCache("plain");
    look();
    listener.collect();
    assertFalse(listener.isOpen());
    assertEquals(periodicBefore.size() - 1, server.periodic.size());
  }

  @Test
  void listen_whenTheCacheIsIgnored_ends() {
    server.catalog.begin();
    listen(CACHE + "?action=listen");
    assertEquals(204, writer.post("/rest/v2/server/ignored-caches/proto", "").status());
    look();
    listener.collect();
    assertTrue(listener.isOpen(), "another cache is ignored");
    assertEquals(204, writer.post("/rest/v2/server/ignored-caches/plain", "").status());
    look();
    listener.collect();
    assertFalse(listener.isOpen());
  }

  @ParameterizedTest
  @ValueSource(strings = {CACHE + "?action=listen", "/rest/v2/container?action=listen"})
  void listen_whenTheUserIsRemoved_endsWithoutAnEvent(String target) {
    Users users = QuickUsers.in(folder, "default");
    users.create("ada", "secret", List.of("admin"));
    users.create("eve", "secret", List.of("admin"));
    TestClient user = server.connect(server.secured(folder));
    String login = Base64.getEncoder().encodeToString("ada:secret".getBytes(UTF_8));
    user.send(
        "GET %s HTTP/1.1\r\nHost: here\r\nAuthorization: Basic %s\r\n\r\n"
            .formatted(target, login));
    String head = new String(user.received(), UTF_8);
    assertTrue(head.startsWith("HTTP/1.1 200 "), head);
    users.remove("eve");
    look();
    user.collect();
    assertTrue(user.isOpen(), "another user is gone");
    users.remove("ada");
    look();
    user.collect();
    assertFalse(user.isOpen());
  }

  @Test
  void listen_toTheContainer_tellsOfAliases() {
    server.context().catalog().begin();
    listen("/rest/v2/container?action=listen", "Accept: application/json");
    writer.post("/rest/v2/caches/plain?action=assign-alias&alias=other", "");
    look();
    String renamed = events();
    assertTrue(renamed.startsWith("event: update-cache\n"), renamed);
    assertTrue(renamed.contains("\"aliases\""), renamed);
    assertTrue(renamed.contains("\"other\""), renamed);
    look();
    assertEquals("", events());
  }

  @Test
  void listen_toMoreThanAClientTakes_breaksOff() {
    listen(CACHE + "?action=listen");
    String key = "k".repeat(1000);
    for (int i = 0; i < 1000; i++) {
      writer.put(CACHE + "/" + key + i, "1");
    }
    listener.collect();
    assertFalse(listener.isOpen());
  }

  @ParameterizedTest
  @CsvSource({
    "/rest/v2/caches/none?action=listen, 404",
    "/rest/v2/caches/plain?action=listen&includeCurrentState=true, 400",
    "/rest/v2/caches/plain?action=listen&includeCurrentState=x, 400"
  })
  void listen_toWhatIsWrong_isRefused(String target, int status) {
    assertEquals(status, writer.get(target).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/rest/v2/container?action=listen",
        "/rest/v3/container/_listen",
        "/rest/v2/container/config?action=listen",
        "/rest/v3/container/config/_listen"
      })
  void listen_toTheContainer_tellsOfCaches(String target) {
    listen(target, "Accept: application/json");
    assertEquals(periodicBefore.size() + 1, server.periodic.size());
    look();
    assertEquals("", events());
    writer.post("/rest/v2/caches/c", "{\"local-cache\":{\"segments\":4}}");
    look();
    String created = events();
    assertTrue(created.startsWith("event: create-cache\ndata: {\n"), created);
    assertTrue(created.contains("\"c\""), created);
    assertTrue(created.contains("\ndata: "), created);
    writer.post(
        "/rest/v2/caches/c?action=set-mutable-attribute&attribute-name=statistics"
            + "&attribute-value=true",
        "");
    look();
    assertTrue(events().startsWith("event: update-cache\n"));
    writer.request("DELETE", "/rest/v2/caches/c");
    look();
    assertEquals("event: remove-cache\ndata: c\n\n", events());
    listener.close();
    assertEquals(periodicBefore, server.periodic);
  }

  @Test
  void listen_withCurrentState_tellsFirstWhatIsThere() {
    listen("/rest/v2/container?action=listen&includeCurrentState=true");
    String events = events();
    assertEquals(2, events.split("event: create-cache\n", -1).length - 1, events);
    assertTrue(events.contains("data: plain:"), events);
    writer.post("/rest/v2/caches/c", "{\"local-cache\":{\"segments\":4}}");
    look();
    assertTrue(events().startsWith("event: create-cache\ndata: c:\n"));
  }

  private void look() {
    List<Runnable> added = new ArrayList<>(server.periodic);
    added.removeAll(periodicBefore);
    added.forEach(Runnable::run);
  }
}

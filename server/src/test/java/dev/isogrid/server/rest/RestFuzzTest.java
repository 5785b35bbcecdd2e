package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Malformed requests: nothing must leak, throw or grow. Replay with -Dseed=N. */
class RestFuzzTest {
  private static final long SEED = Long.getLong("seed", System.nanoTime());
  private static final int ROUNDS = 3000;

  private static final String[] REQUESTS = {
    "GET /rest/v2/caches/plain/k HTTP/1.1\r\nAccept: text/plain;q=0.5, */*\r\n\r\n",
    "PUT /rest/v2/caches/proto/a%2Fb HTTP/1.1\r\nContent-Type: text/plain\r\n"
        + "timeToLiveSeconds: 10\r\nIf-None-Match: \"1\", W/\"2\"\r\nContent-Length: 3\r\n\r\nabc",
    chunked("POST /rest/v3/caches/plain/entries/k", "3\r\nabc\r\n0\r\n\r\n"),
    "POST /rest/v2/caches/x HTTP/1.1\r\nContent-Type: application/json\r\n"
        + "Content-Length: 18\r\n\r\n{\"local-cache\":{}}",
    "DELETE /rest/v2/caches/plain/k HTTP/1.1\r\nIf-Match: 12\r\n\r\n",
    "GET /rest/v2/caches/plain?action=entries&metadata=true&limit=9 HTTP/1.1\r\n\r\n",
    "GET /rest/v2/container HTTP/1.1\r\nOrigin: http://localhost:9000\r\n\r\n",
    "OPTIONS /rest/v2/caches HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "PUT /rest/v2/caches/plain/b HTTP/1.1\r\nExpect: 100-continue\r\n"
        + "Key-Content-Type: application/octet-stream\r\nContent-Length: 1\r\n\r\nx"
  };

  private static final String[] SPICES = {
    "\r\n",
    "\0",
    "%",
    "%00",
    "%ff",
    "\u00ff",
    "-1",
    "2147483648",
    "9223372036854775807",
    "99999999999999999999",
    ",",
    "\"",
    "W/",
    ";",
    "=",
    "?action=",
    "&",
    "//",
    "HTTP/1.0",
    ": ",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    " ",
    "\t",
    "*",
    "Accept: ",
    "q="
  };

  private static String chunked(String target, String body) {
    return target + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
  }

  private final TestServer server = new TestServer();
  private final SplittableRandom random = new SplittableRandom(SEED);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void mutatedRequests_neverThrowOrLeak() {
    for (int round = 0; round < ROUNDS; round++) {
      TestClient client = server.connect();
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        text.append(REQUESTS[random.nextInt(REQUESTS.length)]);
      }
      for (int i = random.nextInt(6); i > 0; i--) {
        mutate(text);
      }
      sendInPieces(client, text.toString().getBytes(StandardCharsets.ISO_8859_1));
      finish(client);
    }
  }

  private void mutate(StringBuilder text) {
    int at = random.nextInt(text.length() + 1);
    int end = Math.min(text.length(), at + random.nextInt(20));
    switch (random.nextInt(4)) {
      case 0 -> text.insert(at, SPICES[random.nextInt(SPICES.length)]);
      case 1 -> text.replace(at, end, "");
      case 2 -> text.insert(at, text.substring(at, end));
      default -> text.insert(at, (char) random.nextInt(256));
    }
  }

  @Test
  void randomBytes_neverThrowOrLeak() {
    for (int round = 0; round < ROUNDS; round++) {
      TestClient client = server.connect();
      byte[] bytes = new byte[random.nextInt(300)];
      random.nextBytes(bytes);
      sendInPieces(client, bytes);
      finish(client);
    }
  }

  @Test
  void truncatedRequests_neverThrowOrLeak() {
    for (String request : REQUESTS) {
      for (int length = 0; length < request.length(); length++) {
        TestClient client = server.connect();
        client.send(request.substring(0, length));
        finish(client);
      }
    }
  }

  private void sendInPieces(TestClient client, byte[] bytes) {
    int at = 0;
    while (at < bytes.length && client.isOpen()) {
      int end = Math.min(bytes.length, at + random.nextInt(1, 200));
      client.send(Arrays.copyOfRange(bytes, at, end));
      at = end;
    }
  }

  private void finish(TestClient client) {
    String got = new String(client.received(), StandardCharsets.ISO_8859_1);
    assertTrue(got.isEmpty() || got.startsWith("HTTP/1.1 "), () -> "seed=" + SEED + ": " + got);
    assertTrue(!got.contains("HTTP/1.1 500"), () -> "seed=" + SEED + ": " + got);
    client.close();
  }
}

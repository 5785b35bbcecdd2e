package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Malformed bytes. They cause no exception and no lost buffer, the kept memory is bounded, and all
 * answers are responses. Replay with {@code -Dseed=}.
 */
class DecoderFuzzTest {
  private static final int CONTENT_LENGTH_MAX = 1 << 16;

  /** An incomplete request in a buffer that grows twofold, and the replies. */
  private static final long MEMORY_MAX = 8L * CONTENT_LENGTH_MAX;

  private static final long SEED = Long.getLong("seed", 20_261_121);

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<byte[]> requests = new ArrayList<>();

  DecoderFuzzTest() throws IOException {
    for (Vector vector : Vector.readAll()) {
      for (Vector.Message message : vector.messages()) {
        if (message.kind().equals("request") && !message.hex().isEmpty()) {
          requests.add(message.bytes());
        }
      }
    }
    assertTrue(requests.size() > 400);
  }

  private static TestServer server() {
    return new TestServer(CONTENT_LENGTH_MAX)
        .with("default")
        .withEncoding("ps", "application/x-protostream")
        .withEncoding("text", "text/plain")
        .with("octet")
        .with("opaque")
        .with("dist8", CacheMode.DIST_SYNC, 8);
  }

  /** Sends bytes in random pieces on a new connection, then ends it. */
  private void survive(TestServer server, byte[] bytes) {
    try (TestServer.Connection connection = server.connect()) {
      for (int from = 0; from < bytes.length; ) {
        int to = Math.min(bytes.length, from + 1 + random.nextInt(bytes.length));
        connection.send(Arrays.copyOfRange(bytes, from, to));
        connection.channel.checkException();
        assertTrue(connection.usedMemory() < MEMORY_MAX, () -> "seed=" + SEED);
        byte[] received = connection.received();
        assertTrue(received.length == 0 || (received[0] & 0xFF) == 0xA1, () -> "seed=" + SEED);
        from = to;
      }
      connection.passFarewell();
      connection.channel.checkException();
    }
  }

  @Test
  void randomBytes_doNoHarm() {
    try (TestServer server = server()) {
      for (int i = 0; i < 3000; i++) {
        byte[] bytes = new byte[random.nextInt(1, 300)];
        random.nextBytes(bytes);
        if (random.nextBoolean()) {
          bytes[0] = (byte) 0xA0;
        }
        survive(server, bytes);
      }
    }
  }

  @Test
  void randomBodies_doNoHarm() {
    try (TestServer server = server()) {
      for (int i = 0; i < 3000; i++) {
        int version = 20 + random.nextInt(22);
        RequestBytes request = new RequestBytes(version, random.nextInt(256)).cache("default");
        for (int j = random.nextInt(30); j > 0; j--) {
          request.u8(random.nextInt(256));
        }
        survive(server, request.bytes());
      }
    }
  }

  @Test
  void changedRequests_doNoHarm() {
    try (TestServer server = server()) {
      for (int i = 0; i < 5000; i++) {
        byte[] bytes = requests.get(random.nextInt(requests.size())).clone();
        for (int j = random.nextInt(1, 4); j > 0; j--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        survive(server, bytes);
      }
    }
  }

  @Test
  void hugeLengths_anywhere_doNoHarm() {
    byte[][] lengths = {
      {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07}, // 2^31 - 1
      {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F}, // -1
      {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x08}, // -2^31
      {(byte) 0x80, (byte) 0x80, 0x04}, // 65536
      {(byte) 0xFE, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x0F},
    };
    try (TestServer server = server()) {
      for (int i = 0; i < 5000; i++) {
        byte[] bytes = requests.get(random.nextInt(requests.size()));
        byte[] length = lengths[random.nextInt(lengths.length)];
        int at = random.nextInt(1, bytes.length);
        byte[] changed = Arrays.copyOf(bytes, bytes.length + length.length);
        System.arraycopy(length, 0, changed, at, length.length);
        System.arraycopy(bytes, at, changed, at + length.length, bytes.length - at);
        survive(server, changed);
      }
    }
  }

  @Test
  void truncatedRequests_areWaitedFor() {
    int waitedFor = 0;
    try (TestServer server = server()) {
      for (byte[] request : requests) {
        if (!isAnsweredByMore(server, request)) {
          continue;
        }
        waitedFor++;
        try (TestServer.Connection connection = server.connect()) {
          for (int at = 0; at < request.length; at++) {
            connection.send(new byte[] {request[at]});
            byte[] received = connection.received();
            assertEquals(at == request.length - 1, received.length > 0);
          }
        }
      }
    }
    assertTrue(waitedFor > 400);
  }

  /** Whether a request is well-formed, so that the connection continues after it. */
  private static boolean isAnsweredByMore(TestServer server, byte[] request) {
    try (TestServer.Connection connection = server.connect()) {
      connection.send(request);
      connection.passFarewell();
      return connection.channel.isOpen();
    }
  }
}

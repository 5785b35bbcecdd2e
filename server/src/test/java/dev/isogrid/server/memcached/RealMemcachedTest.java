package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.server.memcached.Conversations.CasValues;
import dev.isogrid.server.memcached.Conversations.Step;
import dev.isogrid.server.memcached.Conversations.Talk;
import dev.isogrid.testkit.Children;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tables of conversations against memcached itself, which shows that the tables are right. Runs
 * if {@code memcached} is installed.
 */
@Tag("interop")
@Tag("deep")
class RealMemcachedTest {
  private static final int REPLY_TIMEOUT_MILLIS = 3_000;
  private static final int START_TIMEOUT_SECONDS = 120;
  private static final int STOP_TIMEOUT_SECONDS = 120;

  private static @Nullable Process process;
  private static int port;

  @BeforeAll
  static void start() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    port = FreePorts.one();
    List<String> command =
        List.of(
            "memcached",
            "-l",
            loopback.getHostAddress(),
            "-p",
            "" + port,
            "-U",
            "0",
            "-u",
            "nobody");
    try {
      process =
          Children.start(
              new ProcessBuilder(command)
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .redirectError(ProcessBuilder.Redirect.DISCARD));
    } catch (IOException e) {
      Assumptions.abort("memcached is not installed: " + e.getMessage());
    }
    awaitListening();
    String version = ask("version\r\n");
    Assumptions.assumeTrue(
        version.equals("VERSION " + TestServer.VERSION + "\r\n"),
        () -> "the table is that of " + TestServer.VERSION + ", not of " + version);
  }

  private static void awaitListening() throws IOException {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_TIMEOUT_SECONDS);
    while (true) {
      try (Socket _ = connect()) {
        return;
      } catch (ConnectException e) {
        if (System.nanoTime() > deadlineNanos) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    Process started = process;
    if (started != null) {
      started.destroy();
      started.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  static List<Talk> talks() throws IOException {
    return Conversations.all();
  }

  static List<Talk> binaryTalks() throws IOException {
    return BinaryPackets.all();
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(REPLY_TIMEOUT_MILLIS);
    return socket;
  }

  private static String ask(String line) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(TestServer.ascii(line));
      StringBuilder reply = new StringBuilder();
      int next = socket.getInputStream().read();
      while (next >= 0 && next != '\n') {
        reply.append((char) next);
        next = socket.getInputStream().read();
      }
      return reply.append('\n').toString();
    }
  }

  @ParameterizedTest
  @MethodSource("talks")
  void talk_withMemcachedItself_isAsInTheTable(Talk talk) throws IOException {
    try (Socket flusher = connect()) {
      flusher.getOutputStream().write(TestServer.ascii("flush_all\r\n"));
      assertEquals("OK\r\n".length(), flusher.getInputStream().readNBytes(4).length);
    }
    try (Socket socket = connect()) {
      CasValues casValues = new CasValues();
      for (Step step : talk.steps()) {
        socket.getOutputStream().write(TestServer.ascii(casValues.fill(step.request())));
        checkReply(socket.getInputStream(), step, casValues);
      }
      if (talk.closed()) {
        assertEquals(-1, socket.getInputStream().read());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("binaryTalks")
  void binaryTalk_withMemcachedItself_isAsInTheTable(Talk talk) throws IOException {
    try (Socket flusher = connect()) {
      flusher.getOutputStream().write(TestServer.ascii("flush_all\r\n"));
      assertEquals("OK\r\n".length(), flusher.getInputStream().readNBytes(4).length);
    }
    try (Socket socket = connect()) {
      CasValues casValues = new CasValues();
      for (Step step : talk.steps()) {
        byte[] request = BinaryPackets.encode(casValues.fill(step.request()));
        socket.getOutputStream().write(request);
        checkReply(socket.getInputStream(), step, casValues, BinaryPackets::decode);
      }
      if (talk.closed()) {
        assertEquals(-1, socket.getInputStream().read());
      }
    }
  }

  private static void checkReply(InputStream in, Step step, CasValues casValues)
      throws IOException {
    checkReply(in, step, casValues, UnaryOperator.identity());
  }

  private static void checkReply(
      InputStream in, Step step, CasValues casValues, UnaryOperator<String> decoding)
      throws IOException {
    StringBuilder reply = new StringBuilder();
    byte[] part = new byte[1 << 16];
    while (!casValues.matches(step.reply(), decoding.apply(reply.toString()))) {
      int length;
      try {
        length = in.read(part);
      } catch (SocketTimeoutException _) {
        length = -1;
      }
      if (length < 0) {
        assertEquals(step.reply(), decoding.apply(reply.toString()), step.request());
      }
      reply.append(new String(part, 0, length, StandardCharsets.ISO_8859_1));
    }
  }
}

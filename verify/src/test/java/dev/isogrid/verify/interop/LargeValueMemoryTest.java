package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The memory of a server's process while a value of a gigabyte is written and read in chunks,
 * without the memory of the value. The heap is touched before, and smaller values make the JVM load
 * its classes.
 */
@Tag("deep")
@EnabledOnOs(OS.LINUX)
class LargeValueMemoryTest {
  private static final long SIZE = 1L << 30;
  private static final long WARMING_SIZE = 64 << 20;
  private static final int CHUNK = 1 << 16;

  /** The limit: 3 MB were measured; the JVM's own share varies. */
  private static final long BESIDE_MAX = 12_000_000;

  private static final int START_PUT = 0xEF;
  private static final int NEXT_PUT = 0xED;
  private static final int START_GET = 0xE9;
  private static final int NEXT_GET = 0xE7;
  private static final int REMOVE = 0x0B;

  /** Chunks that are sent before the answer to the first of them. */
  private static final int AHEAD = 2;

  private static final byte[] KEY = {1, 'k'};
  private static final String HEAP =
      "-Xms96m -Xmx96m -XX:+AlwaysPreTouch -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

  private final byte[] chunk = new byte[CHUNK];

  @Test
  void valueOfAGigabyte_takesItsOwnMemoryAndLittleMore() throws Exception {
    new Random(1).nextBytes(chunk);
    try (ServerProcess server = ServerProcess.startWith(HEAP, "--no-cluster");
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      Client client = new Client(socket);
      for (int i = 0; i < 3; i++) {
        client.put(WARMING_SIZE);
        client.get(WARMING_SIZE);
        client.call(REMOVE, KEY);
      }
      long base = processBytes(server.pid());
      client.put(SIZE);
      assertBeside("written", server, base);
      client.get(SIZE);
      assertBeside("read", server, base);
    }
  }

  private static void assertBeside(String what, ServerProcess server, long base)
      throws IOException {
    long beside = processBytes(server.pid()) - base - SIZE;
    System.out.println("large value " + what + ": bytes beside it=" + beside);
    assertTrue(beside < BESIDE_MAX, () -> what + ": " + beside);
  }

  /** The private memory of a process, and its share of shared memory. */
  private static long processBytes(long pid) throws IOException {
    Path rollup = Path.of("/proc/" + pid + "/smaps_rollup");
    return Files.readAllLines(rollup, StandardCharsets.US_ASCII).stream()
        .filter(line -> line.startsWith("Pss:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }

  /** Speaks Hot Rod 4.1 with several requests in flight. */
  private final class Client {
    private final Socket socket;
    private final DataInputStream in;

    Client(Socket socket) throws IOException {
      this.socket = socket;
      socket.setTcpNoDelay(true);
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 2 * CHUNK));
    }

    void put(long size) throws IOException {
      byte[] start = Arrays.copyOf(KEY, KEY.length + 1 + Long.BYTES);
      start[KEY.length] = (byte) 0x88;
      call(START_PUT, start);
      int id = in.readInt();
      int waiting = 0;
      for (long done = CHUNK; done <= size; done += CHUNK) {
        ByteBuffer body = ByteBuffer.allocate(8 + CHUNK);
        body.putInt(id).put((byte) (done == size ? 1 : 0));
        body.put(new byte[] {(byte) 0x80, (byte) 0x80, 0x04}).put(chunk);
        send(NEXT_PUT, body.array());
        if (++waiting > AHEAD) {
          answer(NEXT_PUT);
          waiting--;
        }
      }
      for (; waiting > 0; waiting--) {
        answer(NEXT_PUT);
      }
    }

    void get(long size) throws IOException {
      byte[] start = Arrays.copyOf(KEY, KEY.length + 3);
      System.arraycopy(new byte[] {(byte) 0x80, (byte) 0x80, 0x04}, 0, start, KEY.length, 3);
      call(START_GET, start);
      int id = in.readInt();
      boolean isLast = in.readBoolean();
      in.skipNBytes(1 + Long.BYTES);
      long read = chunk();
      while (!isLast) {
        call(NEXT_GET, ByteBuffer.allocate(Integer.BYTES).putInt(id).array());
        assertEquals(id, in.readInt());
        isLast = in.readBoolean();
        read += chunk();
      }
      assertEquals(size, read);
    }

    private int chunk() throws IOException {
      int length = 0;
      int shift = 0;
      int next;
      do {
        next = in.readUnsignedByte();
        length |= (next & 0x7F) << shift;
        shift += 7;
      } while (next >= 0x80);
      byte[] bytes = in.readNBytes(length);
      assertTrue(Arrays.equals(chunk, bytes), "chunk");
      return length;
    }

    void call(int operation, byte[] body) throws IOException {
      send(operation, body);
      answer(operation);
    }

    /** Message id 1, version 4.1, the default cache, no flags, types or parameters. */
    private void send(int operation, byte[] body) throws IOException {
      byte[] head = {(byte) 0xA0, 1, 41, (byte) operation, 0, 0, 1, 0, 0, 0, 0};
      byte[] request = Arrays.copyOf(head, head.length + body.length);
      System.arraycopy(body, 0, request, head.length, body.length);
      socket.getOutputStream().write(request);
    }

    private void answer(int operation) throws IOException {
      byte[] header = in.readNBytes(5);
      int answered = operation == REMOVE ? operation + 1 : operation - 1;
      assertEquals((byte) answered, header[2]);
      assertEquals(0, header[3]);
    }
  }
}

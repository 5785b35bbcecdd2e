package dev.isogrid.server.memcached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.memcached.Conversations.Step;
import dev.isogrid.server.memcached.Conversations.Talk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever a client sends, the server answers or closes, and releases all buffers. */
class FuzzTest {
  private static final int CONTENT_LENGTH_MAX = 4096;
  private static final int ROUNDS = 3_000;
  private static final int CLIENT_BYTES_MAX = 6_000;

  /** Waiting input, the output of one round, and the growth of unpooled buffers. */
  private static final long USED_BYTES_MAX = 1 << 20;

  private static final String[] PIECES = {
    "set a 0 0 5\r\nhello\r\n",
    "set a 1 0 2147483645\r\n",
    "set a 0 0 -1\r\n",
    "get a b a\r\n",
    "gets a\r\n",
    "cas a 0 0 1 1\r\nx\r\n",
    "incr a 1\r\n",
    "decr a 18446744073709551615\r\n",
    "set a 0 0 1\r\n7\r\n",
    "append a 0 0 2000\r\n",
    "prepend a 0 0 1 noreply\r\nx\r\n",
    "gat 0 a b\r\n",
    "gats 1 a\r\n",
    "touch a 1\r\n",
    "delete a\r\n",
    "flush_all 1\r\n",
    "stats\r\n",
    "version\r\n",
    "verbosity 1\r\n",
    "mn\r\n",
    "add a 0 -1 1\r\n\r\r\n",
    "stats settings\r\n",
    "\r\n",
    "set a 4294967296 4294967296 4294967297\r\nx\r\n",
    "get ",
    " ",
    "\0",
    "\n",
    "replace a 0 0 0\r\n",
    "mg a v c f s t k O1\r\n",
    "mg b N1 R9 v\r\n",
    "ms a 2 c T9\r\nhi\r\n",
    "ms YQ== 2000 b MA\r\n",
    "ms a 1 I C1 Z\r\n",
    "md a I T1\r\n",
    "ma a N1 v M-\r\n",
    "me a\r\n"
  };

  private static final String[] PACKETS = {
    "set key=a x=0000000700000000 v=hello",
    "setq key=a x=0000000000000000 blen=1073741000",
    "add key=a x=0000000000000000 v=1 cas=1",
    "append key=a blen=2000",
    "prependq key=b v=x",
    "get key=a",
    "getkq key=a",
    "gat key=a x=00000001",
    "touch key=b x=ffffffff",
    "increment key=n x=0000000000000001000000000000000500000000",
    "decrementq key=a x=0000000000000001000000000000000500000000",
    "delete key=a cas=9",
    "flush x=00000001",
    "noop",
    "version",
    "verbosity x=00000001",
    "stat",
    "stat key=settings",
    "sasl_auth key=PLAIN v=x",
    "30 key=abc x=01 v=rest",
    "get blen=7"
  };

  private final TestServer server = new TestServer(CONTENT_LENGTH_MAX);

  @AfterEach
  void close() {
    server.close();
  }

  /** Sends bytes in random pieces; the server must handle them in an orderly way. */
  private void send(byte[] bytes, SplittableRandom random) {
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    EmbeddedChannel channel = server.connect();
    channel.config().setAllocator(allocator);
    int at = 0;
    while (at < bytes.length && channel.isOpen()) {
      int length = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 8 : 4000));
      channel.writeInbound(allocator.buffer(length).writeBytes(bytes, at, length));
      at += length;
      for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
        part.release();
      }
      assertTrue(allocator.metric().usedHeapMemory() < USED_BYTES_MAX);
    }
    channel.checkException();
    channel.finishAndReleaseAll();
    assertEquals(0, allocator.metric().usedHeapMemory());
  }

  @Test
  void decode_ofRandomBytes_staysOrderly() {
    fuzz(random -> {
      byte[] bytes = new byte[random.nextInt(CLIENT_BYTES_MAX)];
      random.nextBytes(bytes);
      return bytes;
    });
  }

  @Test
  void decode_ofRandomPiecesOfCommands_staysOrderly() {
    fuzz(random -> TestServer.ascii(pieces(random)));
  }

  @Test
  void decode_ofMutatedCommands_staysOrderly() {
    fuzz(random -> mutated(TestServer.ascii(pieces(random)), random));
  }

  private static byte[] mutated(byte[] whole, SplittableRandom random) {
    byte[] bytes = whole;
    for (int i = random.nextInt(10); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        default -> System.arraycopy(bytes, at, bytes, at / 2, bytes.length - at);
      }
    }
    return bytes;
  }

  private static byte[] packets(SplittableRandom random) {
    StringBuilder lines = new StringBuilder();
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      lines.append(PACKETS[random.nextInt(PACKETS.length)]).append('\n');
    }
    return BinaryPackets.encode(lines.toString());
  }

  @Test
  void decode_ofMutatedPackets_staysOrderly() {
    fuzz(random -> mutated(packets(random), random));
  }

  @Test
  void decode_ofRandomBytesInPackets_staysOrderly() {
    fuzz(random -> {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      byte[] all = Arrays.copyOf(packets(random), CLIENT_BYTES_MAX);
      all[0] = (byte) 0x80;
      System.arraycopy(bytes, 0, all, 1, bytes.length);
      return all;
    });
  }

  private static String pieces(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = 1 + random.nextInt(40); i > 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  /** Makes the bytes of one round. */
  private interface Source {
    byte[] next(SplittableRandom random);
  }

  private void fuzz(Source source) {
    long seed = Long.getLong("seed", 7_411_211L);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < ROUNDS; round++) {
      try {
        send(source.next(random), random);
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("seed=" + seed + ", round=" + round, failure);
      }
    }
  }

  @Test
  void decode_ofConversationsCutAnywhere_staysOrderly() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    List<Talk> talks =
        Conversations.all().stream()
            .filter(talk -> !talk.isInteractive() && talk.length() < CLIENT_BYTES_MAX)
            .toList();
    assertTrue(talks.size() > 10);
    for (Talk talk : talks) {
      byte[] whole =
          TestServer.ascii(talk.steps().stream().map(Step::request).collect(Collectors.joining()));
      for (int end = 0; end <= whole.length; end++) {
        send(Arrays.copyOf(whole, end), random);
      }
    }
  }
}

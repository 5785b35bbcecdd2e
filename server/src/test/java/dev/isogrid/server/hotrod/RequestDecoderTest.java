package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.EpochClock;
import dev.isogrid.wire.Opcodes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {
  private static final int SIZE_MAX = 1 << 16;
  private static final EpochClock CLOCK = () -> 0;

  /** All that a header says, as text. */
  private static String header(Request request) {
    return "%d %d %d '%s' %d %d %d %s %s %d"
        .formatted(
            request.messageId,
            request.version,
            request.operation,
            request.textAt(request.cacheName),
            request.flags,
            request.intelligence,
            request.topologyId,
            request.keyMediaType(),
            request.valueMediaType(),
            request.session.number);
  }

  private static RequestBytes random(RandomGenerator random) {
    int[] versions = {20, 27, 28, 31, 40, 41};
    int version = versions[random.nextInt(versions.length)];
    RequestBytes bytes =
        new RequestBytes(version, Opcodes.GET)
            .id(random.nextInt(300))
            .cache("cache-name".substring(random.nextInt(3)))
            .flags(random.nextInt(3) * 100)
            .topology(1 + random.nextInt(3), random.nextInt(2) * 1000);
    if (random.nextBoolean()) {
      bytes.types(random.nextInt(4), random.nextInt(4));
    } else if (random.nextInt(4) == 0) {
      bytes.typeWithParameters(2, "charset", random.nextBoolean() ? "UTF-16" : "UTF-8");
    } else if (random.nextInt(4) == 0) {
      bytes.valueType("text/plain");
    }
    if (version >= 40 && random.nextInt(4) == 0) {
      bytes.session(random.nextInt(2), 1 + random.nextInt(9), -1);
    }
    return bytes.string("key" + random.nextInt(100));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void decode_ofRequestsInPieces_readsTheHeaderOfEach(long seed) {
    Random random = new Random(seed);
    List<byte[]> kinds = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      kinds.add(random(random).bytes());
    }
    Request request = new Request();
    RequestDecoder decoder = new RequestDecoder(request, SIZE_MAX, CLOCK);
    for (int step = 0; step < 500; step++) {
      byte[] bytes = kinds.get(random.nextInt(random.nextInt(kinds.size()) + 1));
      ByteBuf in = Unpooled.wrappedBuffer(bytes);
      if (random.nextBoolean()) {
        ByteBuf part = in.copy(0, random.nextInt(bytes.length));
        assertFalse(decoder.decode(part), "a part is taken for a request");
      }
      assertTrue(decoder.decode(in), "a whole request is not read");

      Request fresh = new Request();
      ByteBuf again = Unpooled.wrappedBuffer(bytes);
      assertTrue(new RequestDecoder(fresh, SIZE_MAX, CLOCK).decode(again));
      assertEquals(header(fresh), header(request));
      assertEquals(fresh.textAt(fresh.key), request.textAt(request.key));
      assertEquals(0, in.readableBytes());
    }
  }

  @Test
  void decode_afterAHeaderOfTheSameBeginning_readsTheOther() {
    Request request = new Request();
    RequestDecoder decoder = new RequestDecoder(request, SIZE_MAX, CLOCK);
    for (String name : List.of("cache-of-a-long-name", "cache-of-a-long-nama", "cache-of-a-long")) {
      byte[] bytes = new RequestBytes(31, Opcodes.GET).cache(name).string("key").bytes();

      assertTrue(decoder.decode(Unpooled.wrappedBuffer(bytes)));

      assertEquals(name, request.textAt(request.cacheName));
      assertEquals("key", request.textAt(request.key));
    }
  }
}

package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DistinctKeysTest {
  @Test
  void add_ofRandomKeys_behavesLikeASet() {
    SplittableRandom random = new SplittableRandom(Long.getLong("seed", 42));
    ByteBuf in = Unpooled.buffer();
    DistinctKeys keys = new DistinctKeys(in);
    Set<String> model = new HashSet<>();
    Request.Range range = new Request.Range();
    for (int i = 0; i < 20_000; i++) {
      String key = Integer.toString(random.nextInt(5000));
      range.set(in.writerIndex(), key.length());
      in.writeBytes(key.getBytes(StandardCharsets.US_ASCII));
      int hash = key.hashCode() % 100; // many different keys of one hash
      assertEquals(model.add(key), keys.add(range, hash));
    }
  }
}

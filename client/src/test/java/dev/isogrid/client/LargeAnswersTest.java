package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Answers that are larger than what a server with a small heap sends at a time. */
class LargeAnswersTest {
  private static final int VALUES = 40;
  private static final byte[] VALUE = new byte[1 << 20];

  @Test
  void getAll_ofMoreThanAServerSendsAtOnce_isSplit() throws Exception {
    try (ServerProcesses servers = new ServerProcesses("large-answers", 1);
        RemoteCacheManager manager = new RemoteCacheManager(servers.client().build())) {
      RemoteCache<String, byte[]> cache = Objects.requireNonNull(manager.getCache("default"));
      Map<String, byte[]> small = new HashMap<>();
      for (int i = 0; i < VALUES; i++) {
        cache.put("k" + i, VALUE);
        small.put("s" + i, new byte[] {(byte) i});
      }
      cache.putAll(small);
      Set<String> keys =
          IntStream.range(0, VALUES)
              .boxed()
              .flatMap(i -> Stream.of("k" + i, "s" + i))
              .collect(Collectors.toSet());

      Map<String, byte[]> found = cache.getAll(keys);

      assertEquals(2 * VALUES, found.size());
      assertArrayEquals(VALUE, found.get("k0"));
      assertArrayEquals(new byte[] {7}, found.get("s7"));
      assertTrue(found.keySet().containsAll(keys));
    }
  }
}

package dev.isogrid.engine;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.FakeEnv;
import dev.isogrid.node.Node;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An engine whose listeners come and go: it has work with changes only while there are some. */
class ListenersGoneTest {
  @Test
  void engine_afterItsLastListener_isFreeOfThem() {
    try (Node node = Node.start(GridConfig.builder().build(), new FakeEnv().env())) {
      CacheConfig config = CacheConfig.builder().storage(StorageType.HEAP_BINARY).build();
      Cache<String, String> cache = node.createCache("c", config);
      CacheEngine<?, ?> engine = requireNonNull(node.engine("c"));
      Subscription first = cache.addListener(_ -> {});
      Subscription second = cache.addListener(_ -> {}, CacheListener.Delivery.ASYNC);
      cache.put("a", "1");
      first.close();
      assertFalse(engine.listeners.isEmpty());
      second.close();
      second.close();
      assertTrue(engine.listeners.isEmpty());
      cache.put("b", "1");
      List<String> told = new ArrayList<>();
      cache.addListener(event -> told.add(event.key()));
      cache.put("c", "1");
      assertEquals(List.of("c"), told);
    }
  }
}

package dev.isogrid.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.node.Node;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The settings of servers whose clients make and remove caches all the time. */
class SharedSettingsTest {
  private static final CacheConfig CONFIG =
      CacheConfig.builder().storage(StorageType.OFF_HEAP).build();

  private final Node node = Node.start(GridConfig.builder().build(), Env.system());

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void removed_ofManyCaches_remembersTheLastOnes() {
    SharedSettings settings = new SharedSettings(node, null, () -> {});
    settings.begin();
    int count = SharedSettings.REMOVED_MAX + 3;
    for (int i = 1; i <= count; i++) {
      settings.state("c" + i, new SharedSettings.State(i, true, CONFIG));
      settings.removed("c" + i);
    }
    assertFalse(settings.wasRemoved("c3"));
    assertTrue(settings.wasRemoved("c4"));
    assertTrue(settings.wasRemoved("c" + count));
  }

  @Test
  void texts_thatWereRemoved_leaveRoomForOthers() {
    SharedTexts texts = new SharedTexts(node, "org.infinispan.CONFIG", null, _ -> false, () -> {});
    texts.begin();
    for (int i = 0; i <= 10_000; i++) {
      texts.put("t" + i, "x");
      assertTrue(texts.remove("t" + i));
    }
    assertEquals(Map.of(), texts.all());
  }
}

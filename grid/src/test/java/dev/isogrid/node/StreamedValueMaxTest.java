package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.store.BinaryKey;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamedValueMaxTest {
  private static final BinaryKey KEY = BinaryKey.of(new byte[] {1});

  @TempDir private Path folder;

  private static int max(Node node, String cache) {
    return Objects.requireNonNull(node.engine(cache)).incomingValueMax(KEY);
  }

  @Test
  void valueForAStore_fitsTheHeapThatItIsCopiedTo() {
    CacheConfig.Builder config = CacheConfig.builder().storage(StorageType.OFF_HEAP).segments(1);
    long heap = Runtime.getRuntime().maxMemory();
    assertTrue(heap < 4L << 30, "more heap than tests have");
    try (Node node = Node.start(GridConfig.builder().dataFolder(folder).build(), Env.system())) {
      node.createCache("memory", config.build());
      node.createCache("kept", config.fileStore(FileStore.builder().build()).build());

      assertTrue(max(node, "memory") > heap / 2);
      assertEquals(heap / 4, max(node, "kept"));
    }
  }
}

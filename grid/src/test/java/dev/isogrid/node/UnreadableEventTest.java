package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.api.StorageType;
import dev.isogrid.testkit.Await;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Listeners of changes whose values their node can write but not read. */
class UnreadableEventTest {
  static final int UNREADABLE = 13;

  /** Stands for one whose classes are not there, or of another version. */
  public static final class Unlucky implements Marshaller<Integer> {
    /** For all nodes. */
    public Unlucky() {}

    @Override
    public byte[] toBytes(Integer object) {
      return ByteBuffer.allocate(Integer.BYTES).putInt(object).array();
    }

    @Override
    public Integer fromBytes(byte[] bytes) {
      int number = ByteBuffer.wrap(bytes).getInt();
      if (number == UNREADABLE) {
        throw new InvalidRequestException("on purpose");
      }
      return number;
    }

    @Override
    public String mediaType() {
      return "application/x-unlucky";
    }
  }

  private static final class Heard implements CacheListener<String, Integer> {
    final ConcurrentLinkedQueue<String> keys = new ConcurrentLinkedQueue<>();
    final AtomicInteger gaps = new AtomicInteger();

    @Override
    public void onEvent(CacheEvent<String, Integer> event) {
      keys.add(event.key());
    }

    @Override
    public void onGap(int segment) {
      gaps.incrementAndGet();
    }
  }

  private static CacheConfig.Builder config() {
    return CacheConfig.builder().segments(1).valueMarshaller(new Unlucky());
  }

  @Test
  void write_ofAValueThatCannotBeRead_isDone_andItsListenersAreToldThatTheyMissIt() {
    try (CacheFixture fixture = new CacheFixture(StorageType.HEAP_OBJECT)) {
      Cache<String, Integer> cache =
          fixture.node.createCache("u", config().storage(StorageType.HEAP_BINARY).build());
      Heard heard = new Heard();
      cache.addListener(heard);
      cache.putAll(Map.of("a", 1));
      cache.putAll(Map.of("b", UNREADABLE));
      cache.putAll(Map.of("c", 2));
      assertTrue(cache.containsKey("b"));
      assertEquals(List.of("a", "c"), List.copyOf(heard.keys));
      assertEquals(1, heard.gaps.get());
    }
  }

  @Test
  void node_whoseListenerCannotReadAValue_staysInItsCluster() throws Exception {
    try (EmbeddedNodes nodes = EmbeddedNodes.start(2)) {
      CacheConfig shared = config().mode(CacheMode.REPL_SYNC).build();
      Cache<String, Integer> writer = nodes.node(0).cache("u", shared);
      Cache<String, Integer> reader = nodes.node(1).cache("u", shared);
      Heard heard = new Heard();
      reader.addListener(heard);
      writer.putAll(Map.of("a", UNREADABLE));
      writer.putAll(Map.of("b", 1));
      Await.until("the next event", () -> heard.keys.contains("b"));
      assertEquals(List.of("b"), List.copyOf(heard.keys));
      assertEquals(1, heard.gaps.get());
      assertEquals(1, reader.get("b"));
    }
  }
}

package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.StorageType;
import dev.isogrid.server.security.QuickUsers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The allocation of a request: nothing beside the entry that a write stores. */
class AllocationTest {
  private static final int REQUESTS = 2000;
  private static final int ROUNDS = 20;

  /** The test's own connection and its buffers, divided by the requests. */
  private static final double OVERHEAD_BYTES_MAX = 20;

  private static final ResourceLeakDetector.Level LEVEL = ResourceLeakDetector.getLevel();

  /** The search for leaks would itself allocate. */
  @BeforeAll
  static void stopLeakDetection() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  @AfterAll
  static void restoreLeakDetection() {
    ResourceLeakDetector.setLevel(LEVEL);
  }

  private static double allocatedBytesPerRequest(RequestBytes request) {
    return allocatedBytesPerRequest(request, StorageType.OFF_HEAP);
  }

  private static double allocatedBytesPerRequest(RequestBytes request, StorageType storage) {
    try (TestServer server = new TestServer(1 << 20).with("c", config(storage));
        TestServer.Connection connection = server.connect()) {
      return allocatedBytesPerRequest(request, connection);
    }
  }

  private static double allocatedBytesPerRequest(
      RequestBytes request, TestServer.Connection connection) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    for (int i = 0; i < REQUESTS; i++) {
      batch.writeBytes(request.bytes());
    }
    byte[] requests = batch.toByteArray();
    connection.channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
    connection.call(new RequestBytes(41, 0x01).string("key").u8(0x88).string("value"));
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      ByteBuf in =
          PooledByteBufAllocator.DEFAULT.directBuffer(requests.length).writeBytes(requests);
      long before = threads.getCurrentThreadAllocatedBytes();
      connection.channel.writeInbound(in);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      assertTrue(connection.received().length > REQUESTS);
    }
    return (double) least / REQUESTS;
  }

  @Test
  void reads_ofWhoHasLoggedIn_allocateNothing(@TempDir Path folder) {
    QuickUsers.in(folder, "default").create("ada", "secret", List.of("application"));
    try (TestServer server = new TestServer(1 << 20).with("c", config(StorageType.OFF_HEAP));
        TestServer.Connection connection = server.connectSecured(folder)) {
      connection.call(new RequestBytes(31, 0x23).cache("").string("PLAIN").string("\0ada\0secret"));
      RequestBytes read = new RequestBytes(31, 0x03).types(12, 12).string("key");
      assertEquals(0, allocatedBytesPerRequest(read, connection), OVERHEAD_BYTES_MAX);
    }
  }

  @Test
  void reads_allocateNothing() {
    for (int operation : new int[] {0x03, 0x0F, 0x11, 0x1B}) {
      RequestBytes read = new RequestBytes(31, operation).types(12, 12).string("key");
      assertEquals(0, allocatedBytesPerRequest(read), OVERHEAD_BYTES_MAX, "operation " + operation);
    }
  }

  @Test
  void readsOfNothing_allocateNothing() {
    RequestBytes read = new RequestBytes(31, 0x03).types(12, 12).string("none");
    assertEquals(0, allocatedBytesPerRequest(read), OVERHEAD_BYTES_MAX);
  }

  private static CacheConfig.Builder config(StorageType storage) {
    return CacheConfig.builder().mode(CacheMode.DIST_SYNC).segments(8).storage(storage);
  }

  /** On the heap, this is the new entry; off the heap, a window's copy of the previous entry. */
  @ParameterizedTest
  @CsvSource({"HEAP_BINARY, 280", "OFF_HEAP, 80"})
  void writes_allocateAnEntryAndWhatTheEngineNeeds(StorageType storage, int entryAndEngineBytes) {
    RequestBytes put =
        new RequestBytes(31, 0x01).flags(1).types(12, 12).string("key").u8(0x77).string("value");
    double bytes = allocatedBytesPerRequest(put, storage);
    assertTrue(bytes < entryAndEngineBytes + OVERHEAD_BYTES_MAX, () -> "bytes=" + bytes);
  }
}

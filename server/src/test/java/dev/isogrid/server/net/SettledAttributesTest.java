package dev.isogrid.server.net;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import dev.isogrid.node.Node;
import dev.isogrid.server.security.Security;
import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A change of a cache's attribute, and another server that is late to take it over. */
@Timeout(120)
class SettledAttributesTest {
  /** Many round trips, and less than the time after which a server is not waited for. */
  private static final int LONG_MILLIS = 300;

  /** Holds tasks back while a test wants that. */
  private static final class HoldingScheduler implements Scheduler {
    private final Scheduler inner = Env.system().scheduler();
    private final ConcurrentLinkedQueue<Runnable> held = new ConcurrentLinkedQueue<>();
    private volatile boolean isHolding;

    @Override
    public Task every(long periodMillis, Runnable task) {
      return inner.every(periodMillis, task);
    }

    @Override
    public void execute(Runnable task) {
      if (isHolding) {
        held.add(task);
      } else {
        inner.execute(task);
      }
    }

    @Override
    public ThreadFactory threads(Thread.Builder kind) {
      return inner.threads(kind);
    }

    void goOn() {
      isHolding = false;
      held.forEach(inner::execute);
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private static Node start(String name, int port, int seedPort, Scheduler scheduler) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(port)
            .seeds(List.of("127.0.0.1:" + seedPort))
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS)
            .build();
    Env system = Env.system();
    system.scheduler().close();
    return Node.start(
        GridConfig.builder().nodeName(name).cluster(cluster).build(),
        new Env(system.nanoClock(), system.epochClock(), system.random(), scheduler));
  }

  private static CacheCatalog catalog(Node node) {
    CacheCatalog catalog = new CacheCatalog(node, null);
    catalog.begin();
    return catalog;
  }

  private static long maxCount(CacheCatalog catalog) {
    return requireNonNull(catalog.config("c")).maxCount();
  }

  @Test
  void update_isAnsweredWhenAllServersHaveIt() throws Exception {
    List<Integer> ports = FreePorts.several(2);
    HoldingScheduler late = new HoldingScheduler();
    try (Node first = start("n0", ports.getFirst(), ports.getFirst(), new HoldingScheduler());
        Node second = start("n1", ports.getLast(), ports.getFirst(), late);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      CacheCatalog here = catalog(first);
      CacheCatalog there = catalog(second);
      CacheAdministration administration =
          new CacheAdministration(
              here, Security.off(first.env()).newCaller(new EmbeddedChannel(), "rest"));
      CacheConfig config =
          CacheConfig.builder()
              .mode(CacheMode.DIST_SYNC)
              .storage(StorageType.HEAP_BINARY)
              .segments(4)
              .maxCount(10)
              .build();
      here.createVolatile("c", config);
      here.awaitEverywhere("c");
      Await.until("the cache", () -> there.config("c") != null);

      late.isHolding = true;
      Future<?> update =
          callers.submit(() -> administration.updateAttribute("c", "memory.max-count", "20"));
      Await.until("the change is heard of", () -> !late.held.isEmpty());
      assertThrows(TimeoutException.class, () -> update.get(LONG_MILLIS, TimeUnit.MILLISECONDS));
      assertEquals(10, maxCount(there));
      late.goOn();
      update.get();
      assertEquals(20, maxCount(there));
    }
  }
}

package dev.isogrid.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three servers, of which one is killed under load. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FailoverTest {
  private static final Pattern READY = Pattern.compile(" ready on [^ ]*:(\\d+)");
  private static final int KEYS = 300;

  private final List<Process> servers = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(Process::destroyForcibly);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void start(String cluster, int clusterPort, int seedPort) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "--port",
            "0",
            "--memcached-port",
            "0",
            "--cluster",
            cluster,
            "--cluster-port",
            Integer.toString(clusterPort),
            "--join",
            "127.0.0.1:" + seedPort);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    servers.add(process);
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher ready = READY.matcher(line);
      if (ready.find()) {
        ports.add(Integer.parseInt(ready.group(1)));
        return;
      }
    }
    throw new IllegalStateException("the server ended before it was ready");
  }

  private static void awaitServers(RemoteCacheManager manager, RemoteCache<?, ?> cache, int count) {
    while (manager.servers().size() != count) {
      cache.size();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  /** Writes and reads in some threads until told to end; counts what it did. */
  private static final class Load {
    final AtomicInteger done = new AtomicInteger();
    final AtomicBoolean ending = new AtomicBoolean();
    private final List<CompletableFuture<@Nullable Void>> threads = new ArrayList<>();

    Load(RemoteCache<Integer, String> cache) {
      for (int thread = 0; thread < 3; thread++) {
        threads.add(CompletableFuture.runAsync(() -> run(cache)));
      }
    }

    private void run(RemoteCache<Integer, String> cache) {
      for (int i = 0; !ending.get(); i = (i + 1) % KEYS) {
        cache.put(i, "v" + i);
        assertEquals("v" + i, cache.get(i));
        done.incrementAndGet();
      }
    }

    void awaitMore(int count) {
      int target = done.get() + count;
      while (done.get() < target && threads.stream().noneMatch(CompletableFuture::isDone)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }

    void end() {
      ending.set(true);
      threads.forEach(CompletableFuture::join);
    }
  }

  @Test
  void kill_ofOneServer_failsNoOperation() throws IOException {
    int seed = freePort();
    start("failover", seed, seed);
    start("failover", freePort(), seed);
    start("failover", freePort(), seed);
    ClientConfig config =
        ClientConfig.builder()
            .addServer("127.0.0.1", ports.get(0))
            .operationTimeoutMillis(30_000)
            .retriesMax(20)
            .build();
    try (RemoteCacheManager manager = new RemoteCacheManager(config)) {
      RemoteCache<Integer, String> cache = Objects.requireNonNull(manager.getCache("default"));
      awaitServers(manager, cache, 3);
      Load load = new Load(cache);
      load.awaitMore(2 * KEYS);
      servers.get(1).destroyForcibly();
      load.awaitMore(3 * KEYS);
      awaitServers(manager, cache, 2);
      load.awaitMore(KEYS);
      load.end();
      assertTrue(load.done.get() > 6 * KEYS);
      for (int i = 0; i < KEYS; i++) {
        assertEquals("v" + i, cache.get(i));
      }
    }
  }
}

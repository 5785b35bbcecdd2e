package dev.isogrid.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.Cache;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheListener;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.api.Subscription;
import dev.isogrid.cluster.RealNetwork;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners of nodes that share a cache. */
class ClusterListenerTest {
  private static final int KEYS = 50;
  private final List<Grid> grids = new ArrayList<>();

  @AfterEach
  void close() {
    grids.forEach(Grid::close);
  }

  /** The events of a listener, by key in their order. */
  private static final class Heard implements CacheListener<String, Integer> {
    final ConcurrentLinkedQueue<CacheEvent<String, Integer>> events = new ConcurrentLinkedQueue<>();
    final AtomicInteger gaps = new AtomicInteger();

    @Override
    public void onEvent(CacheEvent<String, Integer> event) {
      events.add(event);
    }

    @Override
    public void onGap(int segment) {
      gaps.incrementAndGet();
    }

    Set<Integer> values() {
      Set<Integer> values = new HashSet<>();
      for (CacheEvent<String, Integer> event : events) {
        Integer value = event.value();
        if (value != null) {
          assertTrue(values.add(value), () -> "heard twice of " + event);
        }
      }
      return values;
    }

    void checkOrder() {
      Map<String, CacheEvent<String, Integer>> last = new HashMap<>();
      for (CacheEvent<String, Integer> event : events) {
        CacheEvent<String, Integer> before = last.put(event.key(), event);
        if (before != null) {
          assertTrue(before.version() < event.version(), () -> before + " then " + event);
          assertEquals(before.value(), event.oldValue(), () -> before + " then " + event);
        }
      }
      assertEquals(0, gaps.get());
    }
  }

  private List<Grid> start(List<SeedAddress> at, List<SeedAddress> seeds) throws Exception {
    Grid[] started = new Grid[at.size()];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < started.length; i++) {
      int index = i;
      threads.add(Thread.ofVirtual().start(() -> started[index] = startOne(at.get(index), seeds)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    grids.addAll(List.of(started));
    return List.of(started);
  }

  private static Grid startOne(SeedAddress at, List<SeedAddress> seeds) {
    ClusterConfig cluster =
        ClusterConfig.builder()
            .bindPort(at.port())
            .seeds(seeds.stream().map(SeedAddress::toString).toList())
            .joinTimeout(30, TimeUnit.SECONDS)
            .leaveTimeout(0, TimeUnit.SECONDS) // goes without handing over
            .build();
    return Grid.start(GridConfig.builder().nodeName("n" + at.port()).cluster(cluster).build());
  }

  private static Cache<String, Integer> cache(Grid node, int owners) {
    return node.cache(
        "c", CacheConfig.builder().mode(CacheMode.DIST_SYNC).owners(owners).segments(32).build());
  }

  private static void awaitAll(Heard heard, Set<Integer> expected) throws Exception {
    Await.until("all changes", () -> heard.values().containsAll(expected));
    heard.checkOrder();
  }

  @Test
  void listeners_ofAnyNode_hearOfAllChangesOnce() throws Exception {
    for (int owners = 1; owners <= 2; owners++) {
      List<SeedAddress> addresses = RealNetwork.freeAddresses(3);
      List<Grid> nodes = start(addresses, addresses);
      List<Heard> all = new ArrayList<>();
      for (Grid node : nodes) {
        Heard heard = new Heard();
        cache(node, owners).addListener(heard);
        all.add(heard);
      }
      Set<Integer> expected = new HashSet<>();
      for (int i = 0; i < 600; i++) {
        cache(nodes.get(i % 3), owners).put("key" + i % KEYS, i);
        expected.add(i);
      }
      for (Heard heard : all) {
        awaitAll(heard, expected);
      }
      cache(nodes.getFirst(), owners).clear();
      for (Heard heard : all) {
        Await.until("removals", () -> heard.events.size() == 600 + KEYS);
        heard.checkOrder();
      }
      nodes.forEach(Grid::close);
    }
  }

  @Test
  void listener_addedBesideAnother_hearsNothingOfWritesThatReturnedBefore() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(3);
    List<Grid> nodes = start(addresses, addresses);
    Cache<String, Integer> listened = cache(nodes.get(0), 1);
    listened.addListener(new Heard());
    int next = 0;
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < KEYS; i++) {
        cache(nodes.get(i % 3), 1).put("key" + i, next++);
      }
      Heard late = new Heard();
      listened.addListener(late);
      Set<Integer> expected = new HashSet<>();
      for (int i = 0; i < KEYS; i++) {
        expected.add(next);
        cache(nodes.get(i % 3), 1).put("key" + i, next++);
      }
      awaitAll(late, expected);
      assertEquals(expected, late.values());
    }
  }

  @Test
  void listeners_besideOneThatFailsWithErrors_hearOfAllChanges() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(2);
    List<Grid> nodes = start(addresses, addresses);
    Cache<String, Integer> listened = cache(nodes.get(0), 2);
    listened.addListener(event -> {
      throw new AssertionError("on purpose");
    });
    Heard heard = new Heard();
    listened.addListener(heard);
    Map<String, Integer> entries = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      entries.put("key" + i, i);
    }
    cache(nodes.get(1), 2).putAll(entries);
    awaitAll(heard, new HashSet<>(entries.values()));
  }

  @Test
  void listener_afterItIsClosed_hearsNothing() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(3);
    List<Grid> nodes = start(addresses, addresses);
    Heard first = new Heard();
    Heard second = new Heard();
    Subscription subscription = cache(nodes.get(0), 1).addListener(first);
    cache(nodes.get(1), 1).put("a", 1);
    awaitAll(first, Set.of(1));
    subscription.close();
    cache(nodes.get(1), 1).put("a", 2);
    cache(nodes.get(0), 1).addListener(second);
    cache(nodes.get(1), 1).put("a", 3);
    awaitAll(second, Set.of(3));
    assertEquals(Set.of(1), first.values());
  }

  @Test
  void listeners_whileNodesComeAndFail_missNothing() throws Exception {
    List<SeedAddress> addresses = RealNetwork.freeAddresses(5);
    List<SeedAddress> seeds = addresses.subList(0, 3);
    List<Grid> nodes = start(seeds, seeds);
    Heard[] heard = {new Heard(), new Heard()};
    Cache<String, Integer> writing = cache(nodes.get(0), 2);
    writing.addListener(heard[0]);
    cache(nodes.get(1), 2).addListener(heard[1]);
    Set<Integer> acknowledged = new HashSet<>();
    int next = write(writing, 0, acknowledged);
    start(addresses.subList(3, 4), seeds);
    next = write(writing, next, acknowledged);
    nodes.get(2).close();
    next = write(writing, next, acknowledged);
    start(addresses.subList(4, 5), seeds);
    next = write(writing, next, acknowledged);
    grids.get(3).close();
    write(writing, next, acknowledged);
    for (Heard each : heard) {
      awaitAll(each, acknowledged);
    }
  }

  private static int write(Cache<String, Integer> cache, int from, Set<Integer> acknowledged) {
    int next = from;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    while (System.nanoTime() < end) {
      int value = next++;
      try {
        cache.put("key" + value % KEYS, value);
        acknowledged.add(value);
      } catch (RetryableGridException | IndeterminateGridException notKnown) {
        assertTrue(value >= from, notKnown.getMessage());
      }
    }
    return next;
  }
}

package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.infinispan.client.hotrod.Flag;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryCreated;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryExpired;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryModified;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryRemoved;
import org.infinispan.client.hotrod.annotation.ClientListener;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.event.ClientCacheEntryCreatedEvent;
import org.infinispan.client.hotrod.event.ClientCacheEntryExpiredEvent;
import org.infinispan.client.hotrod.event.ClientCacheEntryModifiedEvent;
import org.infinispan.client.hotrod.event.ClientCacheEntryRemovedEvent;
import org.infinispan.commons.configuration.StringConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Events and aliases as the official Hot Rod client sees them, for any number of servers. Each
 * client uses one server only, so that the server must know the changes of others.
 */
abstract class EventsAndAliasesContract {
  /** So many that each server is the primary of some. */
  private static final int KEYS = 24;

  private static final int ROUNDS = 20;

  private static final String DIST_SYNC = "org.infinispan.DIST_SYNC";

  private final List<RemoteCacheManager> managers = new ArrayList<>();

  /** The ports of all servers, the same ones for all tests. */
  abstract List<Integer> ports();

  @BeforeEach
  void connect() {
    for (int port : ports()) {
      ConfigurationBuilder builder = new ConfigurationBuilder();
      builder.addServer().host("127.0.0.1").port(port);
      builder.clientIntelligence(ClientIntelligence.BASIC);
      managers.add(new RemoteCacheManager(builder.build()));
    }
  }

  @AfterEach
  void disconnect() {
    managers.forEach(RemoteCacheManager::close);
  }

  private RemoteCacheManager first() {
    return managers.getFirst();
  }

  private RemoteCacheManager last() {
    return managers.getLast();
  }

  /** A cache that another server created. */
  private static RemoteCache<String, String> cache(RemoteCacheManager manager, String name) {
    Await.until(name + " on all servers", () -> manager.getCache(name) != null);
    return manager.getCache(name);
  }

  /** Records the events of later changes. */
  @ClientListener
  public static final class Heard {
    private final List<String> events = new ArrayList<>();

    @ClientCacheEntryCreated
    public void created(ClientCacheEntryCreatedEvent<String> event) {
      note("created " + event.getKey());
    }

    @ClientCacheEntryModified
    public void modified(ClientCacheEntryModifiedEvent<String> event) {
      note("modified " + event.getKey());
    }

    @ClientCacheEntryRemoved
    public void removed(ClientCacheEntryRemovedEvent<String> event) {
      note("removed " + event.getKey());
    }

    @ClientCacheEntryExpired
    public void expired(ClientCacheEntryExpiredEvent<String> event) {
      note("expired " + event.getKey());
    }

    private synchronized void note(String event) {
      events.add(event);
    }

    synchronized Set<String> all() {
      return new TreeSet<>(events);
    }

    synchronized int count() {
      return events.size();
    }
  }

  private static List<String> keys(String prefix) {
    return IntStream.range(0, KEYS).mapToObj(i -> prefix + i).toList();
  }

  private static Set<String> events(String kind, List<String> keys) {
    Set<String> events = new TreeSet<>();
    keys.forEach(key -> events.add(kind + " " + key));
    return events;
  }

  @Test
  void read_thatFindsAnExpiredEntry_isTold() {
    String seldomReaped =
        "{\"distributed-cache\":{\"mode\":\"SYNC\",\"expiration\":{\"interval\":\"3600000\"}}}";
    RemoteCache<String, String> writer =
        first()
            .administration()
            .getOrCreateCache("expiring", new StringConfiguration(seldomReaped));
    RemoteCache<String, String> reader = cache(last(), "expiring");
    Heard heard = new Heard();
    reader.addClientListener(heard);
    List<String> keys = keys("k");
    keys.forEach(key -> writer.put(key, "v", 100, TimeUnit.MILLISECONDS));
    keys.forEach(key -> Await.until(key + " expired", () -> reader.get(key) == null));
    Await.until("all events", () -> heard.count() >= 2 * KEYS);
    Set<String> expected = events("created", keys);
    expected.addAll(events("expired", keys));
    assertEquals(expected, heard.all());
    assertEquals(2 * KEYS, heard.count());
  }

  @Test
  void newListener_hearsNothingOfWritesThatWereAnsweredBefore() {
    for (int round = 0; round < ROUNDS; round++) {
      String name = "fresh" + round;
      RemoteCache<String, String> writer =
          first().administration().getOrCreateCache(name, DIST_SYNC);
      RemoteCache<String, String> listened = cache(last(), name);
      List<String> before = keys("before");
      before.forEach(key -> writer.put(key, "v"));
      Heard heard = new Heard();
      listened.addClientListener(heard);
      List<String> after = keys("after");
      after.forEach(key -> writer.put(key, "v"));
      Await.until("all events", () -> heard.all().containsAll(events("created", after)));
      assertEquals(events("created", after), heard.all());
      listened.removeClientListener(heard);
      first().administration().removeCache(name);
    }
  }

  @Test
  void alias_thatWasAssigned_isReadOnAllServers() {
    for (String name : List.of("one", "two")) {
      first().administration().getOrCreateCache(name, DIST_SYNC).put("k", name);
    }
    first().administration().assignAlias("flipped", "one");
    List<RemoteCache<String, String>> aliased = new ArrayList<>();
    managers.forEach(manager -> aliased.add(manager.getCache("flipped")));
    for (int round = 0; round < ROUNDS; round++) {
      String name = round % 2 == 0 ? "two" : "one";
      managers.get(round % managers.size()).administration().assignAlias("flipped", name);
      for (RemoteCache<String, String> cache : aliased) {
        assertEquals(name, cache.get("k"));
      }
    }
  }

  @Test
  void clear_withoutListeners_isNotTold() {
    RemoteCache<String, String> writer =
        first().administration().getOrCreateCache("cleared", DIST_SYNC);
    RemoteCache<String, String> listened = cache(last(), "cleared");
    keys("k").forEach(key -> writer.put(key, "v"));
    Heard heard = new Heard();
    listened.addClientListener(heard);
    writer.withFlags(Flag.SKIP_LISTENER_NOTIFICATION).clear();
    assertEquals(0, writer.size());
    keys("k").forEach(key -> writer.put(key, "w"));
    Await.until(
        "events of the writes", () -> heard.all().containsAll(events("created", keys("k"))));
    assertEquals(events("created", keys("k")), heard.all());
    writer.clear();
    Await.until("events of clear", () -> heard.all().containsAll(events("removed", keys("k"))));
  }
}

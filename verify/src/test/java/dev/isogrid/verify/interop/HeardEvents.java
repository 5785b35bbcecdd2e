package dev.isogrid.verify.interop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryCreated;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryExpired;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryModified;
import org.infinispan.client.hotrod.annotation.ClientCacheEntryRemoved;
import org.infinispan.client.hotrod.annotation.ClientCacheFailover;
import org.infinispan.client.hotrod.annotation.ClientListener;
import org.infinispan.client.hotrod.event.ClientCacheEntryCreatedEvent;
import org.infinispan.client.hotrod.event.ClientCacheEntryExpiredEvent;
import org.infinispan.client.hotrod.event.ClientCacheEntryModifiedEvent;
import org.infinispan.client.hotrod.event.ClientCacheEntryRemovedEvent;
import org.infinispan.client.hotrod.event.ClientCacheFailoverEvent;

/** Records the events of the official client's listener, which requests the current state first. */
@ClientListener(includeCurrentState = true)
public final class HeardEvents {
  /** Event by event, such as {@code created k}. */
  final List<String> events = new CopyOnWriteArrayList<>();

  final AtomicInteger failovers = new AtomicInteger();

  /** The last version of each key. */
  private final Map<String, Long> versions = new HashMap<>();

  @ClientCacheEntryCreated
  public void created(ClientCacheEntryCreatedEvent<String> event) {
    note("created", event.getKey(), event.getVersion());
  }

  @ClientCacheEntryModified
  public void modified(ClientCacheEntryModifiedEvent<String> event) {
    note("modified", event.getKey(), event.getVersion());
  }

  @ClientCacheEntryRemoved
  public void removed(ClientCacheEntryRemovedEvent<String> event) {
    events.add("removed " + event.getKey());
  }

  @ClientCacheEntryExpired
  public void expired(ClientCacheEntryExpiredEvent<String> event) {
    events.add("expired " + event.getKey());
  }

  @ClientCacheFailover
  public void failedOver(ClientCacheFailoverEvent event) {
    failovers.incrementAndGet();
  }

  private void note(String kind, String key, long version) {
    synchronized (versions) {
      Long before = versions.put(key, version);
      if (before != null && before > version) {
        events.add("OLDER " + key);
      }
    }
    events.add(kind + " " + key);
  }

  /** The last reported version of a key, or 0. */
  long version(String key) {
    synchronized (versions) {
      return versions.getOrDefault(key, 0L);
    }
  }
}

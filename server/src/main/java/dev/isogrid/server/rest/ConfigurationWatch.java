package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.base.Scheduler;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.server.net.ServerContext;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells a feed of the caches that come, change and go, whoever does it and on whatever node: looks
 * at all of them twice per second while somebody listens. Thread-safe; one look at a time.
 */
final class ConfigurationWatch {
  /**
   * Rare enough to cost nothing, and soon enough for feeds to end within two seconds after a user
   * was removed: the users' file is looked at once per second.
   */
  static final long PERIOD_MILLIS = 500;

  private final ServerContext context;
  private final EventFeed feed;
  private final DocumentFormat format;
  private final AtomicBoolean isLooking = new AtomicBoolean();

  /** The known state of a cache: a recreated cache has another engine. */
  private record Known(CacheEngine<?, ?> engine, CacheConfig config, List<String> aliases) {
    boolean isAs(Known other) {
      return config.equals(other.config) && aliases.equals(other.aliases);
    }
  }

  /** Written by the holder of {@link #isLooking}. */
  private Map<String, Known> known = new HashMap<>();

  ConfigurationWatch(ServerContext context, EventFeed feed, DocumentFormat format) {
    this.context = context;
    this.feed = feed;
    this.format = format;
  }

  /**
   * Begins.
   *
   * @param withCurrent whether the existing caches are reported first
   * @return ends it
   */
  AutoCloseable start(boolean withCurrent) {
    known = present();
    Scheduler scheduler = context.node().env().scheduler();
    if (withCurrent) {
      isLooking.set(true); // changes come after that
      scheduler.execute(this::tellCurrent);
    }
    return scheduler.every(PERIOD_MILLIS, () -> lookAside(scheduler));
  }

  /** Reports all caches, as fast as the client takes them: there may be any number. */
  private void tellCurrent() {
    try {
      for (Known cache : known.values()) {
        if (!feed.put("create-cache", null, document(cache))) {
          return;
        }
      }
    } finally {
      isLooking.set(false);
    }
  }

  private void lookAside(Scheduler scheduler) {
    feed.look();
    if (isLooking.compareAndSet(false, true)) {
      try {
        scheduler.execute(this::look);
      } catch (RejectedExecutionException _) {
        isLooking.set(false); // the server is stopping, and the feed with it
      }
    }
  }

  private void look() {
    try {
      compare(present());
    } finally {
      isLooking.set(false);
    }
  }

  private Map<String, Known> present() {
    Map<String, Known> present = new LinkedHashMap<>();
    for (String name : context.node().cacheNames()) {
      CacheEngine<?, ?> engine = context.engine(name);
      if (engine != null) {
        present.put(name, new Known(engine, engine.config(), context.catalog().aliasesOf(name)));
      }
    }
    return present;
  }

  private void compare(Map<String, Known> now) {
    Map<String, Known> before = known;
    known = now;
    before.forEach((name, cache) -> {
      Known after = now.get(name);
      if (after == null || !after.engine.equals(cache.engine)) {
        feed.add("remove-cache", name.length(), () -> name);
      }
    });
    now.forEach((name, cache) -> {
      Known earlier = before.get(name);
      if (earlier == null || !earlier.engine.equals(cache.engine)) {
        tell("create-cache", cache);
      } else if (!earlier.isAs(cache)) {
        tell("update-cache", cache);
      }
    });
  }

  private void tell(String event, Known cache) {
    String document = document(cache);
    feed.add(event, document.length(), () -> document);
  }

  private String document(Known cache) {
    return CacheDocument.show(CacheReport.named(cache.engine, cache.aliases), format, true);
  }
}

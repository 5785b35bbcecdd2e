package dev.isogrid.server.rest;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.ChangeToken;
import dev.isogrid.api.Subscription;
import dev.isogrid.base.Scheduler;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.Change;
import dev.isogrid.engine.ChangeListener;
import dev.isogrid.engine.ChangeTail;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.rest.ListingWriter.Form;
import dev.isogrid.server.security.AccessRefused;
import dev.isogrid.server.security.Permission;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.MediaTypes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Requests for streams of server-sent events, of a cache or of the container. Thread-safe. */
final class EventRoutes {
  private static final int CACHE_NEEDED = Permission.LISTEN.mask();
  private static final int CHANGES_NEEDED = Permission.LISTEN.mask() | Permission.BULK_READ.mask();
  private static final int CONTAINER_NEEDED = Permission.ADMIN.mask();

  private final ServerContext context;
  private final EventFeeds feeds;

  EventRoutes(ServerContext context) {
    this.context = context;
    this.feeds = new EventFeeds(context.node().env().nanoClock());
  }

  List<Route> routes() {
    return List.of(
        Route.onCache(Verb.GET, "rest/v2/caches/*", "listen", this::listenToCache),
        Route.onCache(Verb.GET, "rest/v3/caches/*/_listen", null, this::listenToCache),
        Route.onCache(Verb.GET, "rest/v2/caches/*", "changes", this::followCache),
        Route.onCache(Verb.GET, "rest/v3/caches/*/_changes", null, this::followCache),
        Route.of(Verb.GET, "rest/v2/container", "listen", this::listenToContainer),
        Route.of(Verb.GET, "rest/v3/container/_listen", null, this::listenToContainer),
        Route.of(Verb.GET, "rest/v2/container/config", "listen", this::listenToContainer),
        Route.of(Verb.GET, "rest/v3/container/config/_listen", null, this::listenToContainer));
  }

  private EventFeed newFeed(AdminRequest request, BooleanSupplier isPermitted) {
    return feeds.begin(request.guard().client(), isPermitted);
  }

  // ---- a cache

  private Answer listenToCache(AdminRequest request, CacheEngine<BinaryKey, Bytes> cache) {
    checkReachable(cache);
    if (request.flag("includeCurrentState")) {
      throw RestProblem.badRequest(
          "includeCurrentState is not there for caches; ask for action=keys after listening");
    }
    EventFeed feed = newFeed(request, () -> isPermitted(request, cache, CACHE_NEEDED));
    String accept = request.accept();
    boolean isPlain = accept != null && accept.contains(MediaTypes.TEXT_PLAIN);
    try {
      Subscription changes = cache.addListener(new KeyEvents(feed, keyForm(cache, isPlain)));
      Scheduler.Task check =
          context
              .node()
              .env()
              .scheduler()
              .every(ConfigurationWatch.PERIOD_MILLIS, () -> look(cache, feed));
      feed.source(() -> {
        check.close();
        changes.close();
      });
    } catch (RuntimeException failure) {
      feed.close();
      throw failure;
    }
    return new Answer.Events(feed);
  }

  /** A cache that is gone has no more changes, so nothing else would end its feeds. */
  private static void look(CacheEngine<BinaryKey, Bytes> cache, EventFeed feed) {
    if (cache.isClosed()) {
      feed.breakOff();
    } else {
      feed.look();
    }
  }

  private Answer followCache(AdminRequest request, CacheEngine<BinaryKey, Bytes> cache) {
    checkReachable(cache);
    ChangeToken from = ChangeToken.of(request.parameter("from", "latest"));
    boolean isRaw = CacheRoutes.isRaw(request);
    EventFeed feed = newFeed(request, () -> isPermitted(request, cache, CHANGES_NEEDED));
    try {
      ChangeTail<BinaryKey, Bytes> tail = cache.changes(from);
      ChangeFollower follower = new ChangeFollower(cache, tail, feed, context.transcoder(), isRaw);
      context.node().env().scheduler().execute(follower::run);
    } catch (RuntimeException failure) {
      feed.close();
      throw failure;
    }
    return new Answer.Events(feed);
  }

  private void checkReachable(CacheEngine<BinaryKey, Bytes> cache) {
    if (isIgnored(cache)) {
      throw RestProblem.ignored(cache.name());
    }
  }

  private boolean isIgnored(CacheEngine<BinaryKey, Bytes> cache) {
    return context.catalog().ignored().contains(cache.name());
  }

  private boolean isPermitted(
      AdminRequest request, CacheEngine<BinaryKey, Bytes> cache, int needed) {
    try {
      request.guard().cache(request, needed);
      return !isIgnored(cache);
    } catch (AccessRefused | RestProblem _) {
      return false; // the cache is gone, or no longer for this client
    }
  }

  /** Makes the text of a key. Keys of all kinds have one: it is made where nobody could answer. */
  private interface KeyForm {
    String text(byte[] stored);
  }

  private KeyForm keyForm(CacheEngine<BinaryKey, Bytes> cache, boolean isPlain) {
    Form form = ListingWriter.form(context.transcoder(), cache.config().keyMediaType());
    return isPlain
        ? stored -> new String(ListingWriter.text(stored, form), StandardCharsets.UTF_8)
        : stored -> json(stored, form);
  }

  private static String json(byte[] stored, @Nullable Form form) {
    ByteBuf json = Unpooled.buffer();
    ListingWriter.writeJson(json, stored, form);
    return json.toString(StandardCharsets.UTF_8);
  }

  /** The copy of a changed key that all feeds share. */
  private static final class KeyCopy {
    private final byte[] bytes;

    private KeyCopy(byte[] bytes) {
      this.bytes = bytes;
    }

    static KeyCopy of(Change<BinaryKey, Bytes> change) {
      return change.shared(KeyCopy.class, first -> new KeyCopy(first.key().toByteArray()));
    }
  }

  /** Reports the keys of changes, from any node of the cluster. */
  private record KeyEvents(EventFeed feed, KeyForm form)
      implements ChangeListener<BinaryKey, Bytes> {
    @Override
    public void onChange(Change<BinaryKey, Bytes> change) {
      String name = name(change.kind());
      if (name != null) {
        byte[] key = KeyCopy.of(change).bytes;
        feed.add(name, key.length, () -> form.text(key));
      }
    }

    private static @Nullable String name(CacheEvent.Kind kind) {
      return switch (kind) {
        case CREATED -> "cache-entry-created";
        case MODIFIED -> "cache-entry-modified";
        case REMOVED -> "cache-entry-removed";
        case EXPIRED -> "cache-entry-expired";
        case EVICTED -> null;
      };
    }

    @Override
    public void onGap(int segment) {
      feed.breakOff();
    }

    @Override
    public boolean wantsValues() {
      return false;
    }

    @Override
    public void afterChange(int segment) {}
  }

  // ---- the container

  private Answer listenToContainer(AdminRequest request) {
    String accept = request.accept();
    DocumentFormat format = DocumentFormat.YAML;
    for (DocumentFormat each : DocumentFormat.values()) {
      if (accept != null && accept.contains(each.mediaType())) {
        format = each;
      }
    }
    boolean withState = request.flag("includeCurrentState");
    EventFeed feed = newFeed(request, () -> mayAdminister(request));
    try {
      feed.source(new ConfigurationWatch(context, feed, format).start(withState));
    } catch (RuntimeException failure) {
      feed.close();
      throw failure;
    }
    return new Answer.Events(feed);
  }

  private static boolean mayAdminister(AdminRequest request) {
    return (request.guard().serverPermissions() & CONTAINER_NEEDED) == CONTAINER_NEEDED;
  }
}

package dev.isogrid.server.rest;

import dev.isogrid.codec.Conversion;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.SchemaCatalog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import java.util.Arrays;
import java.util.List;

/**
 * Writes entries whose keys are too long for a path: the body is the key and then the value. This
 * is more than the REST of others has. Thread-safe.
 */
final class LongKeyRoutes {
  private final ServerContext context;

  LongKeyRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    return List.of(
        Route.onCache(Verb.POST, "rest/v2/caches/*", "put", this::put),
        Route.onCache(Verb.POST, "rest/v3/caches/*/_put", null, this::put));
  }

  private Answer put(AdminRequest request, CacheEngine<BinaryKey, Bytes> engine) {
    if (context.catalog().ignored().contains(engine.name())) {
      throw RestProblem.ignored(engine.name());
    }
    if (engine.name().equals(SchemaCatalog.CACHE)) {
      throw RestProblem.badRequest("schemas can't be written this way; use PUT /schemas/NAME");
    }
    byte[] body = request.body();
    long keyLength = request.number("key-length", -1);
    if (keyLength < 0 || keyLength > body.length) {
      throw RestProblem.badRequest(
          "parameter key-length is missing or not within the body: key-length=%d, body=%d"
              .formatted(keyLength, body.length));
    }
    byte[] sent = Arrays.copyOf(body, (int) keyLength);
    byte[] bytes =
        new PathKey(context.transcoder())
            .ofBytes(sent, request.parameter("key-content-type"), engine.config().keyMediaType());
    BinaryKey key = new BinaryKey();
    key.set(bytes, 0, bytes.length);
    KeyWrite<BinaryKey, Bytes> write =
        write(request, Arrays.copyOfRange(body, (int) keyLength, body.length), engine);
    long _ = engine.write(key, key.hash(), write);
    return Answer.noContent();
  }

  private KeyWrite<BinaryKey, Bytes> write(
      AdminRequest request, byte[] value, CacheEngine<BinaryKey, Bytes> engine) {
    String type = request.contentType();
    Conversion conversion =
        StoredValue.conversion(context.transcoder(), type, engine.config().valueMediaType());
    ProblemLog problems = context.problems();
    return new KeyWrite<BinaryKey, Bytes>()
        .put(Bytes.of(conversion == null ? value : conversion.convert(value)))
        .expiry(
            EntryTimes.limitMillis(
                "time-to-live-seconds", request.parameter("time-to-live-seconds"), problems),
            EntryTimes.limitMillis(
                "max-idle-time-seconds", request.parameter("max-idle-time-seconds"), problems))
        .attributes(0, StoredValue.keptType(type, conversion != null));
  }
}

package dev.isogrid.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of a cache, one at a time, in the order in which the server sends them. They
 * are as the cache keeps them, or, if that is asked for, as text and JSON.
 */
final class Export {
  private static final String UNKNOWN = "application/unknown";
  private static final String JAVA_OBJECT = "application/x-java-object";
  private static final String PROTOSTREAM = "application/x-protostream";

  private final RestConnection connection;
  private final String cache;
  private final boolean asText;

  private @Nullable String keyType;
  private @Nullable String valueType;
  private boolean hasLifespan;
  private boolean hasMaxIdle;

  Export(RestConnection connection, String cache, boolean asText) {
    this.connection = connection;
    this.cache = cache;
    this.asText = asText;
  }

  /**
   * Writes all entries.
   *
   * @param limit the most entries, or below 0 for all
   * @return how many
   */
  long write(EntryFile form, Writer out, long limit, Progress progress) throws IOException {
    Map<?, ?> details = connection.send(RestRequest.get(TreePath.CACHES, cache)).object();
    readDetails(details);
    long size = JsonText.number(details.get("size"), 0);
    long total = limit < 0 ? size : Math.min(limit, size);
    BufferedWriter buffered = new BufferedWriter(out);
    buffered.write(form.head());
    long count = 0;
    try (KeyListing entries = new KeyListing(connection, request(limit))) {
      while (entries.next()) {
        buffered.write(form.text(entry(JsonText.object(entries.element()))));
        count++;
        progress.at(count, count, total);
      }
    }
    buffered.flush();
    return count;
  }

  private void readDetails(Map<?, ?> details) {
    keyType = typeOf(details.get("key_storage"));
    valueType = typeOf(details.get("value_storage"));
    String configuration = JsonText.line(details.get("configuration"));
    hasLifespan = configuration.contains("\"lifespan\"");
    hasMaxIdle = configuration.contains("\"max-idle\"");
  }

  /** The type of bytes as the cache keeps them; null if it does not know. */
  private static @Nullable String typeOf(@Nullable Object storage) {
    String type = JsonText.text(storage);
    if (type.isEmpty() || type.startsWith(UNKNOWN)) {
      return null;
    }
    return type.startsWith(JAVA_OBJECT) ? PROTOSTREAM : type;
  }

  private RestRequest request(long limit) {
    return RestRequest.get(TreePath.CACHES, cache)
        .query("action", "entries")
        .query("metadata", "true")
        .query("limit", String.valueOf(limit))
        .queryIfThere("encoding", asText ? null : "base64");
  }

  private EntryLine entry(Map<?, ?> json) {
    Object value = json.get("value");
    String own = json.get("type") instanceof String type ? type : null;
    Long ttl = limit(json.get("timeToLiveSeconds"), hasLifespan);
    Long maxIdle = limit(json.get("maxIdleTimeSeconds"), hasMaxIdle);
    if (!asText) {
      return new EntryLine(
          Base64Text.decode(JsonText.text(json.get("key"))),
          Base64Text.decode(JsonText.text(value)),
          keyType,
          valueType == null ? own : valueType,
          ttl,
          maxIdle);
    }
    boolean isJson = value instanceof Map<?, ?> && scalar(value) == null;
    return new EntryLine(
        text(json.get("key")), text(value), null, isJson ? "application/json" : null, ttl, maxIdle);
  }

  private static byte[] text(@Nullable Object value) {
    Object scalar = scalar(value);
    String text =
        scalar != null
            ? scalar.toString()
            : value instanceof String same ? same : JsonText.line(value);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The value of a wrapped scalar, or null if it is no such. */
  private static @Nullable Object scalar(@Nullable Object value) {
    Map<?, ?> object = JsonText.object(value);
    return object.size() == 2 && object.containsKey("_type") ? object.get("_value") : null;
  }

  /** A limit of time; none is said where the cache would set one by itself. */
  private static @Nullable Long limit(@Nullable Object seconds, boolean hasDefault) {
    long number = JsonText.number(seconds, -1);
    return number < 0 && !hasDefault ? null : Long.valueOf(number);
  }
}

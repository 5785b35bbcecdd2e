package dev.isogrid.server.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.isogrid.api.CounterConfig;
import dev.isogrid.api.CounterConfig.Storage;
import dev.isogrid.base.ForeignConfiguration;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A counter's configuration as JSON: an object with one member, {@code strong-counter} or {@code
 * weak-counter}, which is an object of attributes.
 */
final class CounterDocument {
  private static final String STRONG = "strong-counter";
  private static final String WEAK = "weak-counter";
  private static final JsonFactory JSON = new JsonFactory();

  // The fields of the document.
  private boolean isWeak;
  private long initial;
  private @Nullable Long lower;
  private @Nullable Long upper;
  private int concurrency = CounterConfig.CONCURRENCY_DEFAULT;
  private Storage storage = Storage.VOLATILE;

  private CounterDocument() {}

  /**
   * Reads a configuration.
   *
   * @throws RestProblem if the document is not one
   * @throws dev.isogrid.api.InvalidRequestException if its values don't go together
   */
  static CounterConfig read(byte[] document) {
    CounterDocument read = new CounterDocument();
    try (JsonParser parser = JSON.createParser(document)) {
      read.readFrom(parser);
    } catch (IOException malformed) {
      throw RestProblem.badRequest("counter is no JSON: " + malformed.getMessage());
    }
    return read.config();
  }

  private void readFrom(JsonParser parser) throws IOException {
    expect(parser.nextToken() == JsonToken.START_OBJECT, "an object");
    String kind = parser.nextFieldName();
    expect(STRONG.equals(kind) || WEAK.equals(kind), STRONG + " or " + WEAK);
    isWeak = WEAK.equals(kind);
    expect(parser.nextToken() == JsonToken.START_OBJECT, "an object in " + kind);
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      expect(parser.currentToken().isScalarValue(), "a number or a text for " + name);
      take(name, parser.getText());
    }
    expect(parser.nextToken() == JsonToken.END_OBJECT, "one counter");
    expect(parser.nextToken() == null, "nothing after the counter");
  }

  private static void expect(boolean holds, String what) {
    if (!holds) {
      throw RestProblem.badRequest("invalid counter: expected " + what);
    }
  }

  private void take(String name, String value) {
    switch (name) {
      case "name" -> {
        // The path has it.
      }
      case "initial-value" -> initial = number(name, value);
      case "lower-bound" -> lower = ofStrong(name, number(name, value));
      case "upper-bound" -> upper = ofStrong(name, number(name, value));
      case "concurrency-level" ->
          concurrency = Math.clamp(number(name, value), Integer.MIN_VALUE, Integer.MAX_VALUE);
      case "storage" -> storage = storage(value);
      case "lifespan" ->
          expect(number(name, value) <= 0, "no lifespan: counters of this server last");
      default ->
          throw RestProblem.badRequest(
              ("unknown attribute: name=%s; use initial-value, lower-bound, upper-bound,"
                      + " concurrency-level or storage")
                  .formatted(name));
    }
  }

  private long ofStrong(String name, long value) {
    expect(!isWeak, "no " + name + " of a weak counter");
    return value;
  }

  private static long number(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException notOne) {
      throw RestProblem.badRequest(
          "invalid counter: name=%s, value=%s; use a whole number of 64 bits"
              .formatted(name, value));
    }
  }

  private static Storage storage(String value) {
    return Arrays.stream(Storage.values())
        .filter(each -> each.name().equals(value.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            RestProblem.badRequest(
                "invalid counter: storage=%s; use VOLATILE or PERSISTENT".formatted(value)));
  }

  private CounterConfig config() {
    boolean isBounded = lower != null || upper != null;
    CounterConfig.Type type =
        isWeak
            ? CounterConfig.Type.WEAK
            : isBounded ? CounterConfig.Type.BOUNDED_STRONG : CounterConfig.Type.UNBOUNDED_STRONG;
    long lowest = lower == null ? Long.MIN_VALUE : lower;
    long highest = upper == null ? Long.MAX_VALUE : upper;
    return ForeignConfiguration.of(
        () -> new CounterConfig(type, initial, lowest, highest, concurrency, storage));
  }

  /** Writes a configuration. */
  static Json write(CounterConfig config) {
    Json json = new Json().beginObject().name(config.isWeak() ? WEAK : STRONG).beginObject();
    json.name("initial-value").value(config.initial());
    json.name("storage").value(config.storage().name());
    if (config.isWeak()) {
      json.name("concurrency-level").value(config.concurrency());
    }
    if (config.isBounded()) {
      json.name("lower-bound").value(config.lower());
      json.name("upper-bound").value(config.upper());
    }
    return json.endObject().endObject();
  }
}

package dev.isogrid.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One object of JSON per line.
 *
 * <pre>
 * {"key":"o-1","value":"Ada","valueType":"text/plain","ttl":60}
 * {"key":{"base64":"/wA="},"value":{"base64":"AAE="}}
 * {"key":"o-2","value":{"_type":"shop.Order","customer":"Ada"}}
 * </pre>
 *
 * The value of the last line is JSON itself, which is sent as that.
 */
final class JsonLines implements EntryFile {
  private static final String BASE64 = "base64";
  private static final String JSON = "application/json";

  @Override
  public String head() {
    return "";
  }

  @Override
  public String text(EntryLine entry) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("key", shown(entry.key()));
    json.put("value", shown(entry.value()));
    putIfThere(json, "keyType", entry.keyType());
    putIfThere(json, "valueType", entry.valueType());
    putIfThere(json, "ttl", entry.ttl());
    putIfThere(json, "maxIdle", entry.maxIdle());
    return JsonText.line(json) + "\n";
  }

  private static void putIfThere(
      Map<String, @Nullable Object> json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  private static Object shown(byte[] bytes) {
    String text = Utf8.textOrNull(bytes);
    return text == null ? Map.of(BASE64, Base64.getEncoder().encodeToString(bytes)) : text;
  }

  @Override
  public Source source(Reader in) {
    return new Lines(new BufferedReader(in));
  }

  private static final class Lines implements Source {
    private final BufferedReader in;
    private long number;

    Lines(BufferedReader in) {
      this.in = in;
    }

    @Override
    public @Nullable EntryLine next() throws IOException {
      String line;
      do {
        line = in.readLine();
        number++;
      } while (line != null && line.isBlank());
      return line == null ? null : entry(JsonText.object(JsonText.parse(line)));
    }

    private static EntryLine entry(Map<?, ?> json) {
      if (!json.containsKey("key") || !json.containsKey("value")) {
        throw new CommandFailure("no entry: the line has no key or no value; give both");
      }
      Object value = json.get("value");
      byte[] octets = octets(value);
      boolean isJson = octets == null && !(value instanceof String);
      String type = text(json.get("valueType"));
      Object key = json.get("key");
      byte[] keyOctets = octets(key);
      return new EntryLine(
          keyOctets == null ? JsonText.text(key).getBytes(StandardCharsets.UTF_8) : keyOctets,
          octets != null
              ? octets
              : (isJson ? JsonText.line(value) : String.valueOf(value))
                  .getBytes(StandardCharsets.UTF_8),
          text(json.get("keyType")),
          type == null && isJson ? JSON : type,
          json.get("ttl") instanceof Number ttl ? Long.valueOf(ttl.longValue()) : null,
          json.get("maxIdle") instanceof Number idle ? Long.valueOf(idle.longValue()) : null);
    }

    private static byte @Nullable [] octets(@Nullable Object value) {
      return value instanceof Map<?, ?> object
              && object.size() == 1
              && object.get(BASE64) instanceof String text
          ? Base64Text.decode(text)
          : null;
    }

    private static @Nullable String text(@Nullable Object value) {
      return value instanceof String text ? text : null;
    }

    @Override
    public long line() {
      return number;
    }
  }
}

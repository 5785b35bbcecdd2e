package dev.isogrid.server.rest;

import java.util.Collection;

/**
 * Writes a JSON document of known structure. The caller must end each begun array and object. Not
 * thread-safe.
 */
final class Json {
  private static final String HEX = "0123456789abcdef";

  private final StringBuilder text = new StringBuilder();
  private boolean separate;

  Json beginObject() {
    return begin('{');
  }

  Json endObject() {
    return end('}');
  }

  Json beginArray() {
    return begin('[');
  }

  Json endArray() {
    return end(']');
  }

  private Json begin(char bracket) {
    separate();
    text.append(bracket);
    separate = false;
    return this;
  }

  private Json end(char bracket) {
    text.append(bracket);
    separate = true;
    return this;
  }

  /** Begins a member of an object; its value is to follow. */
  Json name(String name) {
    separate();
    quote(name);
    text.append(':');
    separate = false;
    return this;
  }

  Json value(String value) {
    separate();
    quote(value);
    separate = true;
    return this;
  }

  Json value(long value) {
    return raw(Long.toString(value));
  }

  Json value(boolean value) {
    return raw(Boolean.toString(value));
  }

  /** Adds a value that is JSON already. */
  Json raw(String json) {
    separate();
    text.append(json);
    separate = true;
    return this;
  }

  /** Adds an array of texts. */
  Json values(Collection<String> values) {
    beginArray();
    values.forEach(this::value);
    return endArray();
  }

  private void separate() {
    if (separate) {
      text.append(',');
    }
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

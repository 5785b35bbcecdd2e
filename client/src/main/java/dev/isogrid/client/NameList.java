package dev.isogrid.client;

import java.util.ArrayList;
import java.util.List;

/** An array of texts in JSON, the servers' format for lists of names. */
final class NameList {
  private static final int HEX_DIGITS = 4;
  private static final int HEX_RADIX = 16;

  private final String json;
  private int position;

  private NameList(String json) {
    this.json = json;
  }

  /**
   * Reads the texts.
   *
   * @throws HotRodClientException if it is no array of texts
   */
  static List<String> read(String json) {
    return new NameList(json).array();
  }

  private List<String> array() {
    List<String> names = new ArrayList<>();
    expect('[');
    if (next() != ']') {
      position--;
      do {
        expect('"');
        names.add(text());
      } while (next() == ',');
      position--;
      expect(']');
    }
    return names;
  }

  private char next() {
    while (position < json.length() && Character.isWhitespace(json.charAt(position))) {
      position++;
    }
    return raw();
  }

  private char raw() {
    if (position == json.length()) {
      throw wrong();
    }
    return json.charAt(position++);
  }

  private void expect(char wanted) {
    if (next() != wanted) {
      throw wrong();
    }
  }

  /** The rest of a text whose opening quote was read. */
  private String text() {
    StringBuilder text = new StringBuilder();
    for (char c = raw(); c != '"'; c = raw()) {
      text.append(c == '\\' ? escaped() : c);
    }
    return text.toString();
  }

  private char escaped() {
    char c = raw();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < HEX_DIGITS; i++) {
          int digit = Character.digit(raw(), HEX_RADIX);
          if (digit < 0) {
            throw wrong();
          }
          code = code * HEX_RADIX + digit;
        }
        yield (char) code;
      }
      default -> throw wrong();
    };
  }

  private HotRodClientException wrong() {
    return new HotRodClientException("no list of names: position=%d".formatted(position));
  }
}

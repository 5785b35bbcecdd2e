package dev.isogrid.config;

import java.util.Locale;

/** The spellings of names: {@code max-size}, {@code maxSize} and {@code max_size} are equal. */
final class Names {
  private Names() {}

  /** The kebab-case form of a name in any spelling, without the prefix of its namespace. */
  static String kebab(String written) {
    String local = written.substring(written.lastIndexOf(':') + 1);
    StringBuilder name = new StringBuilder(local.length() + 4);
    for (int i = 0; i < local.length(); i++) {
      char c = local.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        if (!name.isEmpty() && name.charAt(name.length() - 1) != '-') {
          name.append('-');
        }
        name.append((char) (c - 'A' + 'a'));
      } else {
        name.append(c == '_' ? '-' : c);
      }
    }
    return name.toString();
  }

  /** The camel-case form of a kebab-case name. */
  static String camel(String kebab) {
    String[] words = kebab.split("-", -1);
    StringBuilder name = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      String word = words[i];
      if (!word.isEmpty()) {
        name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
      }
    }
    return name.toString();
  }
}

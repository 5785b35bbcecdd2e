package dev.isogrid.cli;

import java.util.regex.Pattern;

/** A pattern of keys: {@code *} stands for any text, {@code ?} for one character. */
final class KeyPattern {
  private final Pattern pattern;

  /** A pattern without {@code *} and {@code ?} fits one key alone. */
  KeyPattern(String glob) {
    StringBuilder regex = new StringBuilder();
    int plainStart = 0;
    for (int i = 0; i <= glob.length(); i++) {
      char c = i < glob.length() ? glob.charAt(i) : '*';
      if (c == '*' || c == '?') {
        regex.append(Pattern.quote(glob.substring(plainStart, i)));
        plainStart = i + 1;
        if (i < glob.length()) {
          regex.append(c == '*' ? ".*" : ".");
        }
      }
    }
    pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  /** Whether a key fits. */
  boolean fits(String key) {
    return pattern.matcher(key).matches();
  }
}

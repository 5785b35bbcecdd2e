package dev.isogrid.config;

import dev.isogrid.api.InvalidRequestException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions of this package, so that their wording is in one place. */
final class Complaint {
  /** The characters that messages show of a document's text. */
  private static final int SHOWN_MAX = 80;

  private Complaint() {}

  /** The text is not a document of its format. */
  static InvalidRequestException malformed(String what, Position position) {
    return malformed(what, position, null);
  }

  /** As {@link #malformed(String, Position)}, because of another failure. */
  static InvalidRequestException malformed(
      String what, Position position, @Nullable Throwable cause) {
    return new InvalidRequestException(
        "malformed configuration document: %s, %s; correct it there".formatted(what, position),
        cause);
  }

  /** The document exceeds a limit. */
  static InvalidRequestException tooLarge(String what, int limit, Position position) {
    return new InvalidRequestException(
        "configuration document too large: %s above %d, %s; make it smaller"
            .formatted(what, limit, position));
  }

  /** There is no such element or attribute. {@code known} are the existing names. */
  static InvalidRequestException unknown(
      String kind, String path, Position position, Collection<String> known) {
    String remedy =
        known.isEmpty() ? "remove it" : "remove it, or use one of " + String.join(", ", known);
    return new InvalidRequestException(
        "unknown configuration %s: %s, %s; %s".formatted(kind, path, position, remedy));
  }

  /** A value is of the wrong type or out of its range. */
  static InvalidRequestException invalid(
      String path, String value, Position position, String allowed) {
    return new InvalidRequestException(
        "invalid configuration value: %s=%s, %s; allowed is %s"
            .formatted(path, shown(value), position, allowed));
  }

  /** A value refers to something that is not defined. */
  static InvalidRequestException undefined(
      String path, String value, Position position, Collection<String> defined) {
    String known = defined.isEmpty() ? "nothing" : shownList(defined);
    return new InvalidRequestException(
        "configuration refers to something not defined: %s=%s, %s; defined is %s"
            .formatted(path, shown(value), position, known));
  }

  /** The document is well-formed, but requires something that does not exist here. */
  static InvalidRequestException unsupported(String subject, String path, Position position) {
    return unsupported(subject, path, position, "remove it");
  }

  /** As {@link #unsupported(String, String, Position)}, with a remedy. */
  static InvalidRequestException unsupported(
      String subject, String path, Position position, String remedy) {
    return new InvalidRequestException(
        "%s configuration not supported yet: %s, %s; %s"
            .formatted(subject, path, position, remedy));
  }

  /** Text from a document in a form fit for a log: one line, of limited length. */
  static String shown(String text) {
    String head = text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    StringBuilder line = new StringBuilder(head.length());
    for (int i = 0; i < head.length(); i++) {
      char c = head.charAt(i);
      boolean plain = !Character.isISOControl(c) && !Character.isSurrogate(c) && c != '\u2028';
      line.append(plain ? c : '?');
    }
    return line.toString();
  }

  private static String shownList(Collection<String> names) {
    return shown(String.join(", ", names.stream().limit(8).toList()));
  }
}

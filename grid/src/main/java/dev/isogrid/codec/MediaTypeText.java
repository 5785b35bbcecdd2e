package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Takes media types apart. Pure functions. */
public final class MediaTypeText {
  private MediaTypeText() {}

  /** The type without parameters, in lower case. */
  public static String essence(String mediaType) {
    int end = mediaType.indexOf(';');
    String bare = end < 0 ? mediaType : mediaType.substring(0, end);
    return bare.strip().toLowerCase(Locale.ROOT);
  }

  /** The value of a parameter, unquoted, or "" if there is none of that name. */
  public static String parameter(String mediaType, String name) {
    int start = mediaType.indexOf(';');
    while (start >= 0) {
      int end = mediaType.indexOf(';', start + 1);
      String part = mediaType.substring(start + 1, end < 0 ? mediaType.length() : end);
      int equals = part.indexOf('=');
      if (equals > 0 && part.substring(0, equals).strip().equalsIgnoreCase(name)) {
        String value = part.substring(equals + 1).strip();
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
      }
      start = end;
    }
    return "";
  }

  /** Whether a type without parameters stands for plain text, as a form that was posted does. */
  public static boolean isText(String essence) {
    return essence.startsWith("text/") || essence.equals("application/x-www-form-urlencoded");
  }

  /**
   * The character set of a type; UTF-8 if it names none, or one that UTF-8 contains.
   *
   * @throws InvalidRequestException if there is none of the name, or text can't be written in it
   */
  public static Charset charset(String mediaType) {
    String name = parameter(mediaType, "charset");
    if (name.isEmpty()) {
      return StandardCharsets.UTF_8;
    }
    Charset charset = named(name);
    if (!charset.canEncode()) {
      throw new InvalidRequestException(
          "text can't be written in this character set: charset=%s; use utf-8".formatted(charset));
    }
    return charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset;
  }

  private static Charset named(String name) {
    try {
      return Charset.forName(name);
    } catch (IllegalArgumentException e) {
      throw new InvalidRequestException(
          "unknown character set: length=%d; use utf-8".formatted(name.length()), e);
    }
  }

  /** The weight of an item of an Accept field, 0 to 1. */
  public static float quality(String range) {
    if (range.indexOf(';') < 0) {
      return 1;
    }
    String quality = parameter(range, "q");
    if (quality.isEmpty()) {
      return 1;
    }
    try {
      return Math.clamp(Float.parseFloat(quality), 0F, 1F);
    } catch (NumberFormatException e) {
      return 1;
    }
  }
}

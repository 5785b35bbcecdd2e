package dev.isogrid.server.task;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.wire.MediaTypes;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts the parameters and results of tasks from and to clients' data formats. Stateless.
 *
 * <pre>
 * format             parameter                          result
 * none, text, JSON   text of UTF-8                      text; bytes as they are
 * ProtoStream        scalar; else the bytes             scalar; else a string of JSON
 * any other          bytes                              bytes as they are; else text
 * </pre>
 *
 * Null is an empty array. Results other than scalars and bytes become JSON text.
 */
public final class TaskValues {
  /** The deepest result; deeper ones are most likely endless. */
  private static final int DEPTH_MAX = 100;

  private static final String HEX = "0123456789abcdef";

  private TaskValues() {}

  /**
   * The object of a parameter.
   *
   * @param mediaType its format without parameters, or null if unknown
   */
  public static Object parameter(byte[] bytes, @Nullable String mediaType) {
    if (MediaTypes.PROTOSTREAM.equals(mediaType)) {
      try {
        return ScalarMarshaller.INSTANCE.fromBytes(bytes);
      } catch (InvalidRequestException noScalar) {
        return bytes;
      }
    }
    return isText(mediaType) ? new String(bytes, StandardCharsets.UTF_8) : bytes;
  }

  private static boolean isText(@Nullable String mediaType) {
    return mediaType == null || mediaType.startsWith("text/") || mediaType.equals(MediaTypes.JSON);
  }

  /** The bytes of a result; the format as with {@link #parameter}. */
  public static byte[] result(@Nullable Object result, @Nullable String mediaType) {
    if (result == null) {
      return new byte[0];
    }
    if (MediaTypes.PROTOSTREAM.equals(mediaType)) {
      return ScalarMarshaller.INSTANCE.toBytes(isScalar(result) ? result : json(result));
    }
    if (result instanceof byte[] bytes) {
      return bytes;
    }
    boolean isPlain = result instanceof String && !MediaTypes.JSON.equals(mediaType);
    return (isPlain ? (String) result : json(result)).getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isScalar(Object object) {
    return object instanceof byte[]
        || object instanceof String
        || isPrimitive(object)
        || object instanceof Boolean
        || object instanceof Character;
  }

  private static boolean isPrimitive(Object number) {
    return switch (number) {
      case Byte _, Short _, Integer _, Long _, Float _, Double _ -> true;
      default -> false;
    };
  }

  /**
   * A result as JSON: maps as objects, collections and arrays as arrays; numbers, booleans and
   * null; everything else as text.
   *
   * @throws InvalidRequestException if it is too deep
   */
  public static String json(@Nullable Object result) {
    StringBuilder text = new StringBuilder();
    append(result, text, 0);
    return text.toString();
  }

  private static void append(@Nullable Object value, StringBuilder text, int depth) {
    if (depth > DEPTH_MAX) {
      throw new InvalidRequestException(
          "result of a task is too deep: max=%d; give less".formatted(DEPTH_MAX));
    }
    switch (value) {
      case null -> text.append("null");
      case Double number when !Double.isFinite(number) -> quote(number.toString(), text);
      case Float number when !Float.isFinite(number) -> quote(number.toString(), text);
      case Number number when isPrimitive(number) -> text.append(number);
      case Boolean truth -> text.append(truth);
      case Map<?, ?> map -> appendMap(map, text, depth);
      case Collection<?> collection -> appendAll(collection.toArray(), text, depth);
      case Object array when array.getClass().isArray() -> appendAll(array, text, depth);
      default -> quote(value.toString(), text);
    }
  }

  private static void appendMap(Map<?, ?> map, StringBuilder text, int depth) {
    char separator = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      quote(String.valueOf(entry.getKey()), text.append(separator));
      append(entry.getValue(), text.append(':'), depth + 1);
      separator = ',';
    }
    text.append(separator == '{' ? "{}" : "}");
  }

  private static void appendAll(Object array, StringBuilder text, int depth) {
    text.append('[');
    for (int i = 0; i < Array.getLength(array); i++) {
      append(Array.get(array, i), i == 0 ? text : text.append(','), depth + 1);
    }
    text.append(']');
  }

  private static void quote(String value, StringBuilder text) {
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
}

package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.codec.ScalarMarshaller;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.wire.MediaTypes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Turns the last segment of a path into the key that a cache keeps.
 *
 * <table>
 * <caption>The meaning of the segment by the key's content type</caption>
 * <tr><td>none, {@code text/plain}</td><td>the text</td></tr>
 * <tr><td>{@code application/octet-stream}</td><td>bytes in Base64, of either alphabet</td></tr>
 * <tr><td>{@code application/octet-stream; encoding=hex}</td><td>bytes as {@code 0xCAFE}</td></tr>
 * <tr><td>{@code application/x-java-object; type=java.lang.Long} and the like</td>
 *     <td>a number, boolean or text; for caches in ProtoStream</td></tr>
 * <tr><td>any other type</td><td>the text, in that type</td></tr>
 * </table>
 *
 * Reusable; not thread-safe.
 */
final class PathKey {
  private static final int SCRATCH_SIZE = 256;

  private final Transcoder transcoder;
  private byte[] scratch = new byte[SCRATCH_SIZE];

  PathKey(Transcoder transcoder) {
    this.transcoder = transcoder;
  }

  /**
   * Sets a key from a segment of a path.
   *
   * @param contentType the content type of the key from the client, or null
   * @param stored the media type of stored keys
   * @throws RestProblem if the segment does not have its content type
   * @throws InvalidRequestException if there is no conversion
   */
  void read(
      RequestTarget target,
      int segment,
      @Nullable String contentType,
      String stored,
      BinaryKey key) {
    int lengthMax = target.lengthMax(segment);
    if (lengthMax > scratch.length) {
      scratch = new byte[lengthMax];
    }
    int length = target.decode(segment, scratch);
    boolean asItIs = stored.equals(CacheConfig.UNKNOWN_MEDIA_TYPE);
    if (contentType == null && asItIs) {
      key.set(scratch, 0, length);
      return;
    }
    byte[] converted =
        convert(
            Arrays.copyOf(scratch, length),
            contentType == null ? MediaTypes.TEXT_PLAIN : contentType,
            stored);
    key.set(converted, 0, converted.length);
  }

  /**
   * Returns the key that a cache keeps, from bytes that are no part of a path: those of the type
   * {@code application/octet-stream} are the key itself, without Base64.
   *
   * @param bytes borrowed; may be returned
   * @param contentType what the client says of the key, or null
   * @param stored the media type that the cache keeps keys in
   */
  byte[] ofBytes(byte[] bytes, @Nullable String contentType, String stored) {
    if (contentType == null && stored.equals(CacheConfig.UNKNOWN_MEDIA_TYPE)) {
      return bytes;
    }
    String type = contentType == null ? MediaTypes.TEXT_PLAIN : contentType;
    return type.equals(MediaTypes.OCTET_STREAM)
        ? transcoder.convert(bytes, type, stored)
        : convert(bytes, type, stored);
  }

  private byte[] convert(byte[] text, String contentType, String stored) {
    String type = MediaTypeText.essence(contentType);
    StoredValue.checkForm("Key-Content-Type", type);
    if (type.equals(Transcoder.JAVA_OBJECT)) {
      return marshal(text, contentType, stored);
    }
    boolean isOctets = type.equals(MediaTypes.OCTET_STREAM);
    byte[] bytes = isOctets ? octets(text, contentType) : text;
    boolean isText = MediaTypeText.isText(type);
    if (isText && !hasFormOfText(MediaTypeText.essence(stored))) {
      return bytes; // plain words are fit for the names of entries
    }
    return transcoder.convert(bytes, isText ? MediaTypes.TEXT_PLAIN : type, stored);
  }

  /** Whether plain text has a form of its own in a type, which names of entries must have there. */
  private static boolean hasFormOfText(String stored) {
    return switch (stored) {
      case MediaTypes.PROTOSTREAM,
          Transcoder.JAVA_OBJECT,
          MediaTypes.TEXT_PLAIN,
          MediaTypes.OCTET_STREAM,
          CacheConfig.UNKNOWN_MEDIA_TYPE ->
          true;
      default -> false;
    };
  }

  private static byte[] octets(byte[] text, String contentType) {
    boolean hex = "hex".equalsIgnoreCase(MediaTypeText.parameter(contentType, "encoding"));
    try {
      if (!hex) {
        String encoded = ascii(text).replace('-', '+').replace(' ', '+').replace('_', '/');
        return Base64.getDecoder().decode(encoded);
      }
      String digits = ascii(text);
      return HexFormat.of().parseHex(digits.startsWith("0x") ? digits.substring(2) : digits);
    } catch (IllegalArgumentException e) {
      throw RestProblem.badRequest(
          "malformed key: encoding=%s; the path does not hold such text"
              .formatted(hex ? "hex" : "Base64"));
    }
  }

  private static byte[] marshal(byte[] text, String contentType, String stored) {
    String type = MediaTypeText.parameter(contentType, "type");
    boolean isBytes = type.equals("Bytes") || type.equals("[B") || type.equals("ByteArray");
    byte[] bytes = isBytes ? octets(text, MediaTypes.OCTET_STREAM) : text;
    String storedType = MediaTypeText.essence(stored);
    if (!storedType.equals(MediaTypes.PROTOSTREAM) && !storedType.equals(Transcoder.JAVA_OBJECT)) {
      boolean isText = isBytes || type.isEmpty() || simpleName(type).equals("String");
      if (isText && stored.equals(CacheConfig.UNKNOWN_MEDIA_TYPE)) {
        return bytes;
      }
      throw new InvalidRequestException(
          "cannot convert key: from=%s, to=%s; there is no conversion"
              .formatted(contentType, stored));
    }
    return ScalarMarshaller.INSTANCE.toBytes(isBytes ? bytes : parse(text, simpleName(type)));
  }

  private static String simpleName(String type) {
    return type.startsWith("java.lang.") ? type.substring("java.lang.".length()) : type;
  }

  private static Object parse(byte[] utf8, String type) {
    String text = new String(utf8, StandardCharsets.UTF_8);
    try {
      return switch (type) {
        case "", "String" -> text;
        case "Integer" -> Integer.valueOf(text);
        case "Long" -> Long.valueOf(text);
        case "Double" -> Double.valueOf(text);
        case "Float" -> Float.valueOf(text);
        case "Short" -> Short.valueOf(text);
        case "Byte" -> Byte.valueOf(text);
        case "Boolean" -> Boolean.valueOf(text.toLowerCase(Locale.ROOT));
        default ->
            throw RestProblem.badRequest(
                "unknown key type: type=%s; use String, Bytes or a boxed primitive"
                    .formatted(type));
      };
    } catch (NumberFormatException e) {
      throw RestProblem.badRequest("malformed key: type=%s; it is not a number".formatted(type));
    }
  }

  private static String ascii(byte[] text) {
    return new String(text, StandardCharsets.ISO_8859_1);
  }
}

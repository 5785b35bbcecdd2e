package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.wire.MediaTypes;
import java.util.Locale;

/**
 * Converts keys and values between media types. Stateless and thread-safe.
 *
 * <table>
 * <caption>What is converted</caption>
 * <tr><th>from</th><th>to</th><th>how</th></tr>
 * <tr><td>any</td><td>the same</td><td>not at all</td></tr>
 * <tr><td>any or {@code application/unknown}</td><td>the other</td><td>not at all</td></tr>
 * <tr><td>{@code text/plain}</td><td>ProtoStream</td><td>a wrapped string</td></tr>
 * <tr><td>{@code application/octet-stream}</td><td>ProtoStream</td><td>wrapped bytes</td></tr>
 * <tr><td>ProtoStream</td><td>{@code text/plain}</td><td>a wrapped scalar as text</td></tr>
 * <tr><td>ProtoStream</td><td>{@code application/octet-stream}</td>
 *     <td>wrapped bytes, or a wrapped string's UTF-8</td></tr>
 * </table>
 *
 * <p>Parameters of a media type, such as its character set, are left out of account: text is UTF-8.
 */
public final class Transcoder {
  private Transcoder() {}

  /**
   * Whether two media types stand for the same bytes, so that {@link #convert} returns its
   * argument. Cheap where both are the same object.
   */
  @SuppressWarnings("ReferenceEquality") // a shortcut only
  public static boolean isIdentity(String from, String to) {
    return from == to || isSame(essence(from), essence(to));
  }

  private static boolean isSame(String from, String to) {
    return from.equals(to) || from.equals(MediaTypes.UNKNOWN) || to.equals(MediaTypes.UNKNOWN);
  }

  /**
   * Converts a key or a value.
   *
   * @param bytes borrowed; returned itself if nothing has to be done
   * @param from the media type of the bytes
   * @param to the media type that is wanted
   * @return the bytes in the wanted media type
   * @throws InvalidRequestException if there is no way from one type to the other, or the bytes are
   *     not what their type promises
   */
  public static byte[] convert(byte[] bytes, String from, String to) {
    String source = essence(from);
    String target = essence(to);
    if (isSame(source, target)) {
      return bytes;
    }
    if (target.equals(MediaTypes.PROTOSTREAM)) {
      return switch (source) {
        case MediaTypes.TEXT_PLAIN -> WrappedScalar.ofText(bytes);
        case MediaTypes.OCTET_STREAM -> WrappedScalar.ofBytes(bytes);
        default -> throw refusal(from, to, "there is no conversion");
      };
    }
    if (!source.equals(MediaTypes.PROTOSTREAM)) {
      throw refusal(from, to, "there is no conversion");
    }
    byte[] unwrapped =
        switch (target) {
          case MediaTypes.TEXT_PLAIN -> WrappedScalar.toText(bytes);
          case MediaTypes.OCTET_STREAM -> WrappedScalar.toBytes(bytes);
          default -> throw refusal(from, to, "there is no conversion");
        };
    if (unwrapped == null) {
      throw refusal(from, to, "the bytes are not a wrapped scalar of a fitting type");
    }
    return unwrapped;
  }

  private static InvalidRequestException refusal(String from, String to, String why) {
    return new InvalidRequestException(
        "cannot convert: from=%s, to=%s; %s".formatted(from, to, why));
  }

  /** The type without its parameters, in lower case. */
  private static String essence(String mediaType) {
    int end = mediaType.indexOf(';');
    String bare = end < 0 ? mediaType : mediaType.substring(0, end).strip();
    return bare.toLowerCase(Locale.ROOT);
  }
}

package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.wire.MediaTypes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Converts keys and values between media types: the one place where that is done. Thread-safe.
 *
 * <table>
 * <caption>What is converted</caption>
 * <tr><th>from</th><th>to</th><th>how</th></tr>
 * <tr><td>any or {@code application/unknown}</td><td>the other</td><td>not at all</td></tr>
 * <tr><td>any</td><td>{@code application/octet-stream}</td><td>not at all, but see below</td></tr>
 * <tr><td>text</td><td>{@code text/plain}, or the same in another character set</td>
 *     <td>from one character set to the other</td></tr>
 * <tr><td>{@code application/json}</td><td>{@code text/plain}</td><td>likewise</td></tr>
 * <tr><td>text, octets</td><td>{@code application/json}</td>
 *     <td>likewise, and checked for being JSON</td></tr>
 * <tr><td>text</td><td>ProtoStream</td><td>a wrapped string</td></tr>
 * <tr><td>{@code application/octet-stream}</td><td>ProtoStream</td><td>wrapped bytes</td></tr>
 * <tr><td>{@code application/json}</td><td>ProtoStream</td>
 *     <td>a message of the type that {@code _type} names</td></tr>
 * <tr><td>ProtoStream</td><td>{@code text/plain}</td><td>a wrapped scalar as text</td></tr>
 * <tr><td>ProtoStream</td><td>{@code application/octet-stream}</td>
 *     <td>wrapped bytes, or a wrapped string's UTF-8</td></tr>
 * <tr><td>ProtoStream</td><td>{@code application/json}</td>
 *     <td>an object with {@code _type} and the fields, or {@code _value} of a scalar</td></tr>
 * </table>
 *
 * <p>Text is {@code text/plain} and the other types that {@link MediaTypeText#isText} knows. Where
 * bytes are kept, {@code application/x-java-object} stands for ProtoStream: an object that has a
 * form as bytes has that one. Of the parameters of a media type only the character set counts.
 */
public final class Transcoder {
  /** A media type that stands for the object itself, and for its ProtoStream form as bytes. */
  public static final String JAVA_OBJECT = "application/x-java-object";

  private enum Kind {
    PROTOSTREAM,
    TEXT,
    JSON,
    OCTETS,
    UNKNOWN,
    OTHER
  }

  /**
   * The parts of a media type that matter.
   *
   * @param essence without parameters, in lower case
   * @param charset of text and JSON; UTF-8 for all others
   */
  private record Form(Kind kind, String essence, Charset charset) {
    static Form of(String mediaType) {
      String essence = MediaTypeText.essence(mediaType);
      Kind kind =
          switch (essence) {
            case MediaTypes.PROTOSTREAM, JAVA_OBJECT -> Kind.PROTOSTREAM;
            case MediaTypes.JSON -> Kind.JSON;
            case MediaTypes.OCTET_STREAM -> Kind.OCTETS;
            case MediaTypes.UNKNOWN -> Kind.UNKNOWN;
            default -> MediaTypeText.isText(essence) ? Kind.TEXT : Kind.OTHER;
          };
      boolean isText = kind == Kind.TEXT || kind == Kind.JSON;
      return new Form(
          kind, essence, isText ? MediaTypeText.charset(mediaType) : StandardCharsets.UTF_8);
    }
  }

  private final Schemas schemas;

  /**
   * Creates a transcoder.
   *
   * @param schemas which message types are known
   */
  public Transcoder(Schemas schemas) {
    this.schemas = schemas;
  }

  /**
   * Finds the way from one media type to another.
   *
   * @return null if the bytes stay as they are
   * @throws InvalidRequestException if there is no way, or a character set is unknown
   */
  @SuppressWarnings("ReferenceEquality") // a shortcut only
  public @Nullable Conversion find(String from, String to) {
    if (from == to) {
      return null;
    }
    Form source = Form.of(from);
    Form target = Form.of(to);
    if (source.kind() == Kind.UNKNOWN || target.kind() == Kind.UNKNOWN) {
      return null;
    }
    boolean isOtherText =
        target.kind() == Kind.TEXT
            && !target.essence().equals(MediaTypes.TEXT_PLAIN)
            && !target.essence().equals(source.essence())
            && source.kind() != Kind.OCTETS;
    if (isOtherText) {
      throw refusal(from, to, "there is no conversion");
    }
    return switch (source.kind()) {
      case PROTOSTREAM -> fromProtostream(target, from, to);
      case TEXT, JSON -> fromText(source, target, from, to);
      case OCTETS -> fromOctets(target);
      case OTHER, UNKNOWN -> {
        if (target.kind() == Kind.OCTETS || source.essence().equals(target.essence())) {
          yield null;
        }
        throw refusal(from, to, "there is no conversion");
      }
    };
  }

  /**
   * Converts a key or a value. {@link #find} is cheaper for more than one.
   *
   * @param bytes borrowed; returned itself if nothing has to be done
   * @throws InvalidRequestException if there is no way from one type to the other, or the bytes are
   *     not what their type promises
   */
  public byte[] convert(byte[] bytes, String from, String to) {
    Conversion conversion = find(from, to);
    return conversion == null ? bytes : conversion.convert(bytes);
  }

  private @Nullable Conversion fromProtostream(Form target, String from, String to) {
    return switch (target.kind()) {
      case PROTOSTREAM, UNKNOWN -> null;
      case TEXT -> {
        Charset charset = target.charset();
        yield bytes -> fromUtf8(scalar(WrappedScalar.toText(bytes), from, to), charset);
      }
      case OCTETS -> bytes -> scalar(WrappedScalar.toBytes(bytes), from, to);
      case JSON -> bytes -> schemas.toJson(bytes).getBytes(target.charset());
      case OTHER -> throw refusal(from, to, "there is no conversion");
    };
  }

  private static byte[] scalar(byte @Nullable [] unwrapped, String from, String to) {
    if (unwrapped == null) {
      throw refusal(from, to, "the bytes are not a wrapped scalar of a fitting type");
    }
    return unwrapped;
  }

  private @Nullable Conversion fromText(Form source, Form target, String from, String to) {
    Charset charset = source.charset();
    Charset other = target.charset();
    boolean sameBytes = charset.equals(other);
    return switch (target.kind()) {
      case TEXT -> sameBytes ? null : bytes -> text(bytes, charset).getBytes(other);
      case JSON -> {
        if (source.kind() == Kind.JSON) {
          yield sameBytes ? null : bytes -> text(bytes, charset).getBytes(other);
        }
        yield bytes -> {
          String json = text(bytes, charset);
          JsonSyntax.check(json);
          return sameBytes ? bytes : json.getBytes(other);
        };
      }
      case PROTOSTREAM ->
          source.kind() == Kind.JSON
              ? bytes -> schemas.fromJson(text(bytes, charset))
              : bytes -> WrappedScalar.ofText(toUtf8(bytes, charset));
      case OCTETS, UNKNOWN -> null;
      case OTHER -> throw refusal(from, to, "there is no conversion");
    };
  }

  private static @Nullable Conversion fromOctets(Form target) {
    return switch (target.kind()) {
      case PROTOSTREAM -> WrappedScalar::ofBytes;
      case JSON ->
          bytes -> {
            JsonSyntax.check(text(bytes, target.charset()));
            return bytes;
          };
      case TEXT, OCTETS, UNKNOWN, OTHER -> null;
    };
  }

  private static byte[] toUtf8(byte[] text, Charset charset) {
    return charset.equals(StandardCharsets.UTF_8)
        ? text
        : text(text, charset).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] fromUtf8(byte[] utf8, Charset charset) {
    return charset.equals(StandardCharsets.UTF_8)
        ? utf8
        : text(utf8, StandardCharsets.UTF_8).getBytes(charset);
  }

  private static String text(byte[] bytes, Charset charset) {
    try {
      return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidRequestException(
          "malformed text: charset=%s, size=%d; send text in that character set"
              .formatted(charset, bytes.length),
          e);
    }
  }

  private static InvalidRequestException refusal(String from, String to, String why) {
    return new InvalidRequestException(
        "cannot convert: from=%s, to=%s; %s".formatted(from, to, why));
  }
}

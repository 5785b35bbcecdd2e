package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.MediaTypes;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the form of an entry's value for the forms that the client accepts.
 *
 * <p>An entry's own type is the content type it was written with, else the cache's media type, else
 * {@code application/octet-stream}; an entry of a ProtoStream cache is sent as JSON if the client
 * has no preference. Beside it, every entry can be sent as octets, and in each form of the {@link
 * Transcoder}; an entry of unknown type as plain text. Reusable; not thread-safe.
 */
final class Representation {
  private static final String ANY = "*/*";
  private static final String LONE_ANY = "*";
  private static final String ANY_APPLICATION = "application/*";
  private static final String ANY_TEXT = "text/*";

  /** The longest value that an event loop converts, in bytes: it serves nobody else meanwhile. */
  static final int LOOP_BYTES_MAX = 1 << 16;

  /** More items of an Accept field than any client sends. */
  private static final int RANGES_MAX = 64;

  private final Transcoder transcoder;
  private String contentType = MediaTypes.OCTET_STREAM;
  private byte @Nullable [] converted;
  private @Nullable String failure;
  private boolean isLong;
  private int limit;

  Representation(Transcoder transcoder) {
    this.transcoder = transcoder;
  }

  /** The media type to send. */
  String contentType() {
    return contentType;
  }

  /** The bytes to send, or null to send the stored value. */
  byte @Nullable [] converted() {
    return converted;
  }

  /** Whether a value was left unconverted since it is longer than was allowed. */
  boolean isLong() {
    return isLong;
  }

  /**
   * The reason why the value could not be converted to an accepted form, null if there is no such
   * form; valid if no form was chosen.
   */
  @Nullable String failure() {
    return failure;
  }

  /**
   * Chooses.
   *
   * @param accept the header {@code Accept}, or null for anything
   * @param stored the media type of stored values
   * @param bytesMax the longest value that is converted; see {@link #isLong}
   * @return false if the client accepts none of the forms
   */
  boolean choose(@Nullable String accept, String stored, EntryView<?, Bytes> entry, int bytesMax) {
    converted = null;
    failure = null;
    isLong = false;
    limit = bytesMax;
    String kept = printable(entry.mediaType());
    if (accept == null || accept.equals(ANY)) {
      return chooseOwn(kept, stored, entry);
    }
    for (String range : ranges(accept)) {
      if (chooseWithin(range, kept, stored, entry)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The acceptable items of an Accept field, those with the greatest weight first. An item that is
   * no media type is left out, but a lone {@code *}, which some clients send, is any type.
   */
  private static List<String> ranges(String accept) {
    List<String> ranges = new ArrayList<>();
    for (String range : accept.split(",", RANGES_MAX)) {
      String type = MediaTypeText.essence(range);
      boolean isType = type.indexOf('/') > 0 || type.equals(LONE_ANY);
      if (isType && MediaTypeText.quality(range) > 0) {
        ranges.add(range);
      }
    }
    ranges.sort(Comparator.comparingDouble(range -> -MediaTypeText.quality(range)));
    return ranges;
  }

  /** The type that an entry has by itself. */
  static String ownType(@Nullable String kept, String stored) {
    String written = printable(kept);
    if (written != null) {
      return written;
    }
    return isUnknown(stored) ? MediaTypes.OCTET_STREAM : stored;
  }

  private static @Nullable String printable(@Nullable String kept) {
    return kept != null && StoredValue.isPrintable(kept) ? kept : null;
  }

  private static boolean isUnknown(String stored) {
    return stored.equals(CacheConfig.UNKNOWN_MEDIA_TYPE);
  }

  private boolean chooseWithin(
      String range, @Nullable String kept, String stored, EntryView<?, Bytes> entry) {
    String wanted = MediaTypeText.essence(range);
    String own = MediaTypeText.essence(ownType(kept, stored));
    boolean isAnyOfOwn =
        wanted.endsWith("/*") && own.startsWith(wanted.substring(0, wanted.length() - 1));
    if (wanted.equals(ANY) || wanted.equals(LONE_ANY) || isAnyOfOwn) {
      return chooseOwn(kept, stored, entry);
    }
    String charset = MediaTypeText.parameter(range, "charset");
    if (wanted.equals(own) && (charset.isEmpty() || isUtf8(range, kept, stored))) {
      return tryOwnType(kept, stored, entry);
    }
    return switch (wanted) {
      case ANY_APPLICATION ->
          tryForm(MediaTypes.JSON, kept, stored, entry)
              || tryForm(MediaTypes.OCTET_STREAM, kept, stored, entry);
      case ANY_TEXT -> tryForm(MediaTypes.TEXT_PLAIN, kept, stored, entry);
      default ->
          tryForm(charset.isEmpty() ? wanted : wanted + ";charset=" + charset, kept, stored, entry);
    };
  }

  private static boolean isUtf8(String range, @Nullable String kept, String stored) {
    try {
      Charset own = MediaTypeText.charset(ownType(kept, stored));
      return own.equals(StandardCharsets.UTF_8) && MediaTypeText.charset(range).equals(own);
    } catch (InvalidRequestException unknown) {
      return false; // the client may accept something else
    }
  }

  /** Chooses the form for a client without a preference. */
  private boolean chooseOwn(@Nullable String kept, String stored, EntryView<?, Bytes> entry) {
    boolean isJson =
        kept == null && isProtostream(stored) && tryForm(MediaTypes.JSON, null, stored, entry);
    failure = null;
    return isJson || chooseOwnType(kept, stored, entry);
  }

  /** Chooses the type that an entry has by itself, or that of its bytes if they can't have it. */
  private boolean chooseOwnType(@Nullable String kept, String stored, EntryView<?, Bytes> entry) {
    if (!tryOwnType(kept, stored, entry)) {
      failure = null;
      converted = null;
      contentType = MediaTypes.PROTOSTREAM;
    }
    return true;
  }

  /** Tries that type; false if the bytes are a message that can't be sent so. */
  private boolean tryOwnType(@Nullable String kept, String stored, EntryView<?, Bytes> entry) {
    String own = ownType(kept, stored);
    String charset = MediaTypeText.parameter(own, "charset");
    boolean isText = MediaTypeText.isText(MediaTypeText.essence(own));
    String form = isText ? MediaTypes.TEXT_PLAIN : own;
    boolean isConverted =
        isUnknown(stored)
            || tryForm(
                isText && !charset.isEmpty() ? form + ";charset=" + charset : form,
                kept,
                stored,
                entry);
    contentType = own;
    if (isConverted || isProtostream(stored)) {
      return isConverted;
    }
    failure = null;
    converted = null;
    return true;
  }

  private static boolean isProtostream(String stored) {
    String type = MediaTypeText.essence(stored);
    return type.equals(MediaTypes.PROTOSTREAM) || type.equals(Transcoder.JAVA_OBJECT);
  }

  /** Tries to convert the value to a form. */
  private boolean tryForm(
      String form, @Nullable String kept, String stored, EntryView<?, Bytes> entry) {
    contentType = form;
    converted = null;
    String type = MediaTypeText.essence(form);
    boolean isOctets = type.equals(MediaTypes.OCTET_STREAM);
    if (isUnknown(stored) && kept == null) {
      return isOctets || type.equals(MediaTypes.TEXT_PLAIN);
    }
    try {
      var conversion = transcoder.find(isUnknown(stored) ? String.valueOf(kept) : stored, form);
      if (conversion == null) {
        return true;
      }
      if (entry.value().length() > limit) {
        isLong = true;
        return true;
      }
      try {
        converted = conversion.convert(entry.value().toByteArray());
      } catch (InvalidRequestException e) {
        failure = String.valueOf(e.getMessage());
        return isOctets;
      }
      return true;
    } catch (InvalidRequestException e) {
      return false; // there is no such way: an expected outcome
    }
  }
}

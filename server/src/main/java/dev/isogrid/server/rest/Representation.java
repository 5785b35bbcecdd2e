package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.MediaTypes;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the form in which an entry's value is sent, from what the client accepts.
 *
 * <p>An entry's own type is the content type it was written with, else the cache's media type, else
 * {@code application/octet-stream}. Beside it, every entry can be sent as octets; one of a
 * ProtoStream cache as it is kept, and as text if it is a scalar; one of unknown type as plain
 * text. Reusable; not thread-safe.
 */
final class Representation {
  private static final String ANY = "*/*";

  private String contentType = MediaTypes.OCTET_STREAM;
  private byte @Nullable [] converted;

  /** The media type to send. */
  String contentType() {
    return contentType;
  }

  /** The bytes to send, or null to send the value as it is kept. */
  byte @Nullable [] converted() {
    return converted;
  }

  /**
   * Chooses.
   *
   * @param accept what the client accepts, or null for anything
   * @param stored the media type that the cache keeps values in
   * @return false if the client accepts none of the forms
   */
  boolean choose(@Nullable String accept, String stored, EntryView<?, Bytes> entry) {
    converted = null;
    String kept = entry.mediaType();
    boolean protostream = MediaTypes.PROTOSTREAM.equals(stored);
    if (accept == null || accept.equals(ANY)) {
      return chooseOwn(kept, stored, protostream, entry);
    }
    String own = ownType(kept, stored);
    float best = 0;
    String chosen = null;
    for (int start = 0; start < accept.length(); ) {
      int comma = accept.indexOf(',', start);
      int end = comma < 0 ? accept.length() : comma;
      String range = accept.substring(start, end);
      float quality = MediaTypeText.quality(range);
      if (quality > best) {
        String form = form(MediaTypeText.essence(range), own, protostream, stored, kept);
        chosen = form == null ? chosen : form;
        best = form == null ? best : quality;
      }
      start = end + 1;
    }
    if (chosen == null) {
      return false;
    }
    return chosen.equals(ANY)
        ? chooseOwn(kept, stored, protostream, entry)
        : chooseConverted(chosen, protostream, entry);
  }

  /** The type that an entry has by itself. */
  static String ownType(@Nullable String kept, String stored) {
    if (kept != null && StoredValue.isPrintable(kept)) {
      return kept;
    }
    return stored.equals(CacheConfig.UNKNOWN_MEDIA_TYPE) ? MediaTypes.OCTET_STREAM : stored;
  }

  /** The form that fits a range: the own one as "any", another one's type, or null. */
  private static @Nullable String form(
      String range, String own, boolean protostream, String stored, @Nullable String kept) {
    String type = MediaTypeText.essence(own);
    if (range.equals(ANY) || range.equals(type)) {
      return ANY;
    }
    boolean allOfType = range.endsWith("/*");
    if (allOfType && type.startsWith(range.substring(0, range.length() - 1))) {
      return ANY;
    }
    boolean convertible =
        switch (range) {
          case MediaTypes.OCTET_STREAM, "application/*" -> true;
          case MediaTypes.PROTOSTREAM -> protostream;
          case MediaTypes.TEXT_PLAIN, "text/*" ->
              protostream || (kept == null && stored.equals(CacheConfig.UNKNOWN_MEDIA_TYPE));
          default -> false;
        };
    if (!convertible) {
      return null;
    }
    return switch (range) {
      case "application/*" -> protostream ? MediaTypes.PROTOSTREAM : MediaTypes.OCTET_STREAM;
      case "text/*" -> MediaTypes.TEXT_PLAIN;
      default -> range;
    };
  }

  private boolean chooseOwn(
      @Nullable String kept, String stored, boolean protostream, EntryView<?, Bytes> entry) {
    contentType = ownType(kept, stored);
    String type = MediaTypeText.essence(contentType);
    if (!protostream || type.equals(MediaTypes.PROTOSTREAM)) {
      return true;
    }
    converted = tryConvert(entry, MediaTypeText.isText(type) ? MediaTypes.TEXT_PLAIN : type);
    if (converted == null) {
      contentType = MediaTypes.PROTOSTREAM;
    }
    return true;
  }

  private boolean chooseConverted(String target, boolean protostream, EntryView<?, Bytes> entry) {
    contentType = target;
    if (!protostream || target.equals(MediaTypes.PROTOSTREAM)) {
      return true;
    }
    converted = tryConvert(entry, target);
    return converted != null || target.equals(MediaTypes.OCTET_STREAM);
  }

  private static byte @Nullable [] tryConvert(EntryView<?, Bytes> entry, String target) {
    try {
      return Transcoder.convert(entry.value().toByteArray(), MediaTypes.PROTOSTREAM, target);
    } catch (InvalidRequestException e) {
      return null; // the value is no scalar, or the target no form of one: an expected outcome
    }
  }
}

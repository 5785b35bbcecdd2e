package dev.isogrid.server.rest;

import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.MediaTypes;

/**
 * A request for the keys or entries of a cache.
 *
 * @param engine the cache
 * @param transcoder converts keys and values
 * @param keysOnly whether values are left out
 * @param metadata whether times and versions are added to entries
 * @param limit the most entries to send, or a negative number for all
 * @param isRaw whether keys and values are sent in their stored form, in Base64, without any loss
 */
record Listing(
    CacheEngine<BinaryKey, Bytes> engine,
    Transcoder transcoder,
    boolean keysOnly,
    boolean metadata,
    long limit,
    boolean isRaw) {
  /** The media type of the keys in the answer. */
  String keyType() {
    if (isRaw) {
      return engine.config().keyMediaType();
    }
    return keysOnly ? MediaTypes.TEXT_PLAIN : shownType(engine.config().keyMediaType());
  }

  /** The media type of the values in the answer. */
  String valueType() {
    String kept = engine.config().valueMediaType();
    return isRaw ? kept : shownType(kept);
  }

  /** Whether a media type is shown as JSON; all others are shown as text. */
  static boolean isShownAsJson(String mediaType) {
    String type = MediaTypeText.essence(mediaType);
    return type.equals(MediaTypes.PROTOSTREAM) || type.equals(Transcoder.JAVA_OBJECT);
  }

  private static String shownType(String mediaType) {
    return isShownAsJson(mediaType) ? MediaTypes.JSON : MediaTypes.TEXT_PLAIN;
  }
}

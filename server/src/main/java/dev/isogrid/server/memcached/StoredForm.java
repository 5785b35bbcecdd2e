package dev.isogrid.server.memcached;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.codec.Conversion;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.store.Bytes;
import dev.isogrid.wire.MediaTypes;
import org.jspecify.annotations.Nullable;

/**
 * How keys and values of memcached clients, which are text and octets, become what the cache keeps,
 * and back. Nothing is done, nor allocated, where the cache has no media type. Thread-safe.
 */
final class StoredForm {
  /** For a cache that keeps bytes as they come. */
  static final StoredForm AS_IS = new StoredForm(null, null, null, null, MediaTypes.OCTET_STREAM);

  private final @Nullable Conversion keys;
  private final @Nullable Conversion encoding;
  private final @Nullable Conversion decoding;
  private final String valueMediaType;
  private final @Nullable Conversion keyDecoding;

  private StoredForm(
      @Nullable Conversion keys,
      @Nullable Conversion keyDecoding,
      @Nullable Conversion encoding,
      @Nullable Conversion decoding,
      String valueMediaType) {
    this.keys = keys;
    this.keyDecoding = keyDecoding;
    this.encoding = encoding;
    this.decoding = decoding;
    this.valueMediaType = valueMediaType;
  }

  /**
   * The form of a cache.
   *
   * @throws dev.isogrid.api.InvalidRequestException if there is no way to one of its media types
   */
  static StoredForm of(CacheConfig config, Transcoder transcoder) {
    String values = config.valueMediaType();
    String type = MediaTypeText.essence(values);
    boolean isWrapped = type.equals(MediaTypes.PROTOSTREAM) || type.equals(Transcoder.JAVA_OBJECT);
    return new StoredForm(
        transcoder.find(MediaTypes.TEXT_PLAIN, config.keyMediaType()),
        transcoder.find(config.keyMediaType(), MediaTypes.TEXT_PLAIN),
        transcoder.find(MediaTypes.OCTET_STREAM, values),
        transcoder.find(values, isWrapped ? MediaTypes.TEXT_PLAIN : MediaTypes.OCTET_STREAM),
        type.equals(CacheConfig.UNKNOWN_MEDIA_TYPE) ? MediaTypes.OCTET_STREAM : type);
  }

  /** What values are that have no media type of their own. */
  String valueMediaType() {
    return valueMediaType;
  }

  /** Whether the cache keeps keys in another form than they are sent. */
  boolean convertsKeys() {
    return keys != null;
  }

  /** How a key of the cache becomes a client's, or null if it is one. */
  @Nullable Conversion keyDecoding() {
    return keyDecoding;
  }

  /** A client's key as the cache keeps it. */
  byte[] key(byte[] sent) {
    return keys == null ? sent : keys.convert(sent);
  }

  /** A client's value as the cache keeps it. */
  Bytes encoded(Bytes value) {
    return encoding == null ? value : Bytes.of(encoding.convert(value.toByteArray()));
  }

  /** A value of the cache as clients get it. */
  Bytes decoded(Bytes stored) {
    return decoding == null ? stored : Bytes.of(decoding.convert(stored.toByteArray()));
  }
}

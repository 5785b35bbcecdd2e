package dev.isogrid.server.memcached;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.codec.MediaTypeText;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.store.Bytes;
import dev.isogrid.structure.ValueForm;
import dev.isogrid.wire.MediaTypes;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of memcached clients' keys and values, which are text and octets, to and from the
 * stored form. For a cache without media types it does and allocates nothing. Thread-safe.
 */
final class StoredForm implements ValueForm {
  /** The form of a cache without a conversion. */
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
   * @throws InvalidRequestException if there is no conversion to one of its media types
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

  /** The media type of values without one of their own. */
  String valueMediaType() {
    return valueMediaType;
  }

  /** Whether the stored form of keys differs from the sent one. */
  boolean convertsKeys() {
    return keys != null;
  }

  /** A stored key for lists: as clients send it, or unchanged if they can't send it. */
  byte[] shownKey(byte[] stored) {
    try {
      return keyDecoding == null ? stored : keyDecoding.convert(stored);
    } catch (InvalidRequestException otherClients) {
      return stored;
    }
  }

  /** The length of a stored value for lists: as clients get it, or unchanged if they can't. */
  int shownLength(Bytes stored) {
    try {
      return decoded(stored).length();
    } catch (InvalidRequestException otherClients) {
      return stored.length();
    }
  }

  /** The stored form of a client's key. */
  byte[] key(byte[] sent) {
    return keys == null ? sent : keys.convert(sent);
  }

  @Override
  public boolean isAsIs() {
    return encoding == null && decoding == null;
  }

  @Override
  public Bytes encoded(Bytes value) {
    return encoding == null ? value : Bytes.of(encoding.convert(value.toByteArray()));
  }

  @Override
  public Bytes decoded(Bytes stored) {
    return decoding == null ? stored : Bytes.of(decoding.convert(stored.toByteArray()));
  }
}

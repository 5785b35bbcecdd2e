package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.Conversion;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a listener's events. Immutable.
 *
 * <pre>
 * magic u8, message id vLong, operation u8, status u8, topology u8 (0), listener id bytes,
 * marker u8 (0 plain, 1 converted, 2 converted and raw), retried u8, then
 *   plain              key bytes; if there is an entry, its version i64
 *   key value version  bytes: key bytes; if there is an entry, its value bytes and its version i64
 *   other content      bytes
 * </pre>
 *
 * <p>Retried is always 0: a listener receives each change once, whatever happens to the cluster.
 *
 * @param listenerId the client's id of the listener
 * @param content the content of events
 * @param previous the layout of events with the previous value; null if there are none
 * @param isRaw whether the client takes the result of a converter unchanged
 * @param keys the conversion of keys for the client, or null for none
 * @param values the same for values
 */
record EventFormat(
    ByteString listenerId,
    EventContent content,
    @Nullable KeyValuePrevious previous,
    boolean isRaw,
    @Nullable Conversion keys,
    @Nullable Conversion values) {
  private static final int PLAIN = 0;
  private static final int CONVERTED = 1;
  private static final int CONVERTED_RAW = 2;

  /** A key in the form that the client knows. */
  byte[] key(ByteString stored) {
    return converted(stored, keys);
  }

  private static byte[] converted(ByteString stored, @Nullable Conversion conversion) {
    byte[] bytes = stored.toByteArray();
    return conversion == null ? bytes : conversion.convert(bytes);
  }

  /**
   * Appends an event.
   *
   * @param messageId the id of the request for events of the initial state, else 0
   * @throws dev.isogrid.api.InvalidRequestException if key or value can't be converted; then
   *     nothing is appended
   */
  void write(ByteBuf out, ClientEvent event, long messageId) {
    byte[] key = key(event.key());
    byte[] value = content == EventContent.KEY_VALUE_VERSION ? value(event.value()) : null;
    byte[] object = object(event, key);
    out.writeByte(HotRod.RESPONSE_MAGIC);
    WireWriter.vLong(out, messageId);
    out.writeByte(event.operation());
    out.writeByte(Statuses.OK);
    out.writeByte(0);
    WireWriter.bytes(out, listenerId.toByteArray());
    int marker = isRaw ? CONVERTED_RAW : CONVERTED;
    out.writeByte(content == EventContent.PLAIN ? PLAIN : marker);
    out.writeByte(0);
    if (object != null) {
      WireWriter.bytes(out, object);
      return;
    }
    if (content == EventContent.KEY_VALUE_VERSION) {
      int size = sizeOf(key) + (value == null ? 0 : sizeOf(value) + Long.BYTES);
      WireWriter.vInt(out, size);
    }
    WireWriter.bytes(out, key);
    if (value != null) {
      WireWriter.bytes(out, value);
    }
    if (event.hasEntry()) {
      out.writeLong(event.version());
    }
  }

  private byte @Nullable [] value(@Nullable EventValue stored) {
    return stored == null ? null : converted(stored.bytes(), values);
  }

  /** The content as one object; null if key, value and version are separate fields. */
  private byte @Nullable [] object(ClientEvent event, byte[] key) {
    EventValue stored = event.value();
    if (content == EventContent.MADE) {
      return stored == null ? new byte[0] : stored.bytes().toByteArray();
    }
    if (previous == null) {
      return null;
    }
    boolean isExpired = event.operation() == Opcodes.EVENT_EXPIRED; // shows what expired as value
    byte[] before = value(event.previous());
    return isExpired
        ? previous.bytes(key, before, null)
        : previous.bytes(key, value(stored), before);
  }

  private static int sizeOf(byte[] bytes) {
    return WireWriter.vIntSize(bytes.length) + bytes.length;
  }
}

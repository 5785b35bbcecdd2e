package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.Conversion;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Statuses;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * How events of a listener are laid out. Immutable.
 *
 * <pre>
 * magic u8, message id vLong, operation u8, status u8, topology u8 (0), listener id bytes,
 * marker u8 (0 plain, 1 converted, 2 converted and raw), retried u8, then
 *   plain       key bytes; if there is an entry, its version i64
 *   converted   bytes: key bytes; if there is an entry, its value bytes and its version i64
 * </pre>
 *
 * <p>Retried is always 0: a listener hears of each change once, whatever happens to the cluster.
 *
 * @param listenerId what the client calls the listener
 * @param converts whether events have the layout of the converter for key, value and version
 * @param isRaw whether the client takes what was converted as it is
 * @param keys how keys become what the client wants, or null if they are that
 * @param values the same of values
 */
record EventFormat(
    ByteString listenerId,
    boolean converts,
    boolean isRaw,
    @Nullable Conversion keys,
    @Nullable Conversion values) {
  private static final int PLAIN = 0;
  private static final int CONVERTED = 1;
  private static final int CONVERTED_RAW = 2;

  /** A key as the client knows it. */
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
   * @param messageId that of the request for events of the state that it found, else 0
   * @throws dev.isogrid.api.InvalidRequestException if key or value can't be converted; nothing is
   *     appended then
   */
  void write(ByteBuf out, ClientEvent event, long messageId) {
    byte[] key = key(event.key());
    EventValue stored = event.value();
    byte[] value = converts && stored != null ? converted(stored.bytes(), values) : null;
    out.writeByte(HotRod.RESPONSE_MAGIC);
    WireWriter.vLong(out, messageId);
    out.writeByte(event.operation());
    out.writeByte(Statuses.OK);
    out.writeByte(0);
    WireWriter.bytes(out, listenerId.toByteArray());
    int marker = isRaw ? CONVERTED_RAW : CONVERTED;
    out.writeByte(converts ? marker : PLAIN);
    out.writeByte(0);
    if (converts) {
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

  private static int sizeOf(byte[] bytes) {
    return WireWriter.vIntSize(bytes.length) + bytes.length;
  }
}

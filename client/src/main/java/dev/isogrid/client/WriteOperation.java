package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import org.jspecify.annotations.Nullable;

/**
 * Writes an entry: put, putIfAbsent, replace, remove. The body of the request:
 *
 * <pre>
 * bytes key | but remove: lifetime | with a version: i64 version | but remove: bytes value
 * </pre>
 */
abstract class WriteOperation<T extends @Nullable Object> extends KeyOperation<T> {
  private final int opcode;
  private final @Nullable WrittenValue value;

  /**
   * Creates one.
   *
   * @param value null if it removes
   */
  WriteOperation(RequestFormat format, byte[] key, int opcode, @Nullable WrittenValue value) {
    super(format, key);
    this.opcode = opcode;
    this.value = value;
  }

  @Override
  final int opcode() {
    return opcode;
  }

  @Override
  final int size() {
    return super.size() + (value == null ? 0 : value.size());
  }

  @Override
  final void encode(RequestWriter out) {
    super.encode(out);
    if (value != null) {
      value.lifetime().write(out);
    }
    if (opcode == Opcodes.REPLACE_IF_UNMODIFIED || opcode == Opcodes.REMOVE_IF_UNMODIFIED) {
      out.i64(version());
    }
    if (value != null) {
      value.write(out);
    }
  }

  @Override
  final boolean isNumbered() {
    return true;
  }

  @Override
  final int expiryFlags() {
    return value == null ? 0 : value.lifetime().flags();
  }

  @Override
  final void count(CacheCounts counts, int status, long nanos) {
    counts.written(value == null, nanos);
  }

  /** The version that the entry must have. */
  long version() {
    return HotRod.VERSION_NONE;
  }

  /** Takes note that the answer was read to its end: the entry may have changed. */
  final void written() {
    if (value != null) {
      value.written();
    }
    NearCache near = format().cache().near();
    if (near != null) {
      near.written(format(), key());
    }
  }

  /** Reads the previous value, if the status says that there is one. */
  final @Nullable Object previous(ResponseReader in, int status) {
    if (status != Statuses.OK_WITH_PREVIOUS && status != Statuses.NOT_EXECUTED_WITH_PREVIOUS) {
      return null;
    }
    boolean absent = in.version() >= Versions.V40 && in.metadataVersion() == HotRod.VERSION_NONE;
    if (absent) {
      in.bytes();
      return null;
    }
    return value(in);
  }

  /** Writes, and returns the previous value if the flags ask for it. */
  static final class Returning<V> extends WriteOperation<@Nullable V> {
    Returning(RequestFormat format, byte[] key, int opcode, @Nullable WrittenValue value) {
      super(format, key, opcode, value);
    }

    @Override
    @SuppressWarnings("unchecked") // the user says what the cache holds
    @Nullable V decode(ResponseReader in, int status) {
      V previous = (V) previous(in, status);
      written();
      return previous;
    }
  }

  /** Writes if the entry has a version, and returns whether it had. */
  static final class Versioned extends WriteOperation<Boolean> {
    private final long version;

    Versioned(RequestFormat format, byte[] key, @Nullable WrittenValue value, long version) {
      super(
          format,
          key,
          value == null ? Opcodes.REMOVE_IF_UNMODIFIED : Opcodes.REPLACE_IF_UNMODIFIED,
          value);
      this.version = version;
    }

    @Override
    long version() {
      return version;
    }

    @Override
    Boolean decode(ResponseReader in, int status) {
      previous(in, status);
      written();
      return status == Statuses.OK || status == Statuses.OK_WITH_PREVIOUS;
    }
  }
}

package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import org.jspecify.annotations.Nullable;

/** Reads a value. */
final class GetOperation<V> extends KeyOperation<@Nullable V> {
  GetOperation(RequestFormat format, byte[] key) {
    super(format, key);
  }

  @Override
  int opcode() {
    return Opcodes.GET;
  }

  @Override
  @SuppressWarnings("unchecked") // the user says what the cache holds
  @Nullable V decode(ResponseReader in, int status) {
    return status == Statuses.OK ? (V) value(in) : null;
  }

  @Override
  void count(CacheCounts counts, int status, long nanos) {
    counts.read(status == Statuses.OK, nanos);
  }
}

package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import org.jspecify.annotations.Nullable;

/** Reads a value with its version and times. */
class GetWithMetadataOperation<V> extends KeyOperation<@Nullable MetadataValue<V>> {
  GetWithMetadataOperation(RequestFormat format, byte[] key) {
    super(format, key);
  }

  @Override
  final int opcode() {
    return Opcodes.GET_WITH_METADATA;
  }

  @Override
  @Nullable MetadataValue<V> resolved(@Nullable MetadataValue<V> result) {
    return result == null ? null : result.of(Undecoded.object(result.value()));
  }

  @Override
  @SuppressWarnings("unchecked") // the user says what the cache holds
  @Nullable MetadataValue<V> decode(ResponseReader in, int status) {
    if (status != Statuses.OK) {
      return null;
    }
    MetadataValue<Boolean> metadata = in.metadata();
    V value = (V) value(in);
    return value == null ? null : metadata.of(value);
  }

  @Override
  final void count(CacheCounts counts, int status, long nanos) {
    counts.read(status == Statuses.OK, nanos);
  }
}

package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import org.jspecify.annotations.Nullable;

/** Begins to read a value portion by portion. */
final class StartReadOperation extends KeyOperation<StartReadOperation.@Nullable Started> {
  private final int portionSize;

  /**
   * The server's answer at the beginning.
   *
   * @param stream to read the rest from, and to be ended
   * @param metadata that of the entry; the value is missing
   * @param first the first portion
   */
  record Started(ValueStream stream, MetadataValue<Boolean> metadata, Portion first) {}

  StartReadOperation(RequestFormat format, byte[] key, int portionSize) {
    super(format, key);
    this.portionSize = portionSize;
  }

  @Override
  int opcode() {
    return Opcodes.START_GET_STREAM;
  }

  @Override
  int versionMin() {
    return Versions.V41;
  }

  @Override
  void encode(RequestWriter out) {
    super.encode(out);
    out.vInt(portionSize);
  }

  @Override
  @Nullable Started decode(ResponseReader in, int status) {
    if (status != Statuses.OK) {
      return null;
    }
    ValueStream stream = new ValueStream(format(), in.connection(), in.i32());
    boolean isLast = in.u8() != 0;
    MetadataValue<Boolean> metadata = in.metadata();
    Portion first = new Portion(in.bytes(), isLast);
    if (isDone()) {
      stream.endRead(); // the caller has given up
    }
    return new Started(stream, metadata, first);
  }
}

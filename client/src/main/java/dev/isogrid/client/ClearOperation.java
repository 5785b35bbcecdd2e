package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import org.jspecify.annotations.Nullable;

/** Removes all entries. */
final class ClearOperation extends Operation<@Nullable Void> {
  ClearOperation(RequestFormat format) {
    super(format);
  }

  @Override
  int opcode() {
    return Opcodes.CLEAR;
  }

  @Override
  @Nullable Void decode(ResponseReader in, int status) {
    NearCache near = format().cache().near();
    if (near != null) {
      near.cleared();
    }
    return null;
  }
}

package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;

/** Asks whether there is an entry. */
final class ContainsKeyOperation extends KeyOperation<Boolean> {
  ContainsKeyOperation(RequestFormat format, byte[] key) {
    super(format, key);
  }

  @Override
  int opcode() {
    return Opcodes.CONTAINS_KEY;
  }

  @Override
  Boolean decode(ResponseReader in, int status) {
    return status == Statuses.OK;
  }
}

package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;

/** Counts the entries of a cache. */
final class SizeOperation extends Operation<Long> {
  SizeOperation(RequestFormat format) {
    super(format);
  }

  @Override
  int opcode() {
    return Opcodes.SIZE;
  }

  @Override
  Long decode(ResponseReader in, int status) {
    return in.vLong();
  }
}

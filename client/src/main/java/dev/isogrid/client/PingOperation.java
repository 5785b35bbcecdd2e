package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.SessionExtension;
import dev.isogrid.wire.TimesExtension;
import dev.isogrid.wire.Versions;

/** Asks whether a server answers, and whether it has a cache. */
final class PingOperation extends Operation<PingOperation.Pong> {
  /**
   * A server's answer about itself and a cache.
   *
   * @param keyType the media type's number of stored keys; 0 for none, -1 for one without number
   * @param valueType the same of values
   * @param version the newest version that the server speaks; before 3.0 that of the ping
   * @param hasSessions whether it knows operations by their numbers
   * @param hasTimes whether it has {@link TimesExtension}
   */
  record Pong(int keyType, int valueType, int version, boolean hasSessions, boolean hasTimes) {}

  PingOperation(RequestFormat format) {
    super(format.withoutTypes().withFlags(SessionExtension.PING_FLAG));
  }

  @Override
  int opcode() {
    return Opcodes.PING;
  }

  @Override
  Pong decode(ResponseReader in, int status) {
    if (in.version() < Versions.V29) {
      return new Pong(0, 0, in.version(), false, false);
    }
    int keyType = in.mediaType();
    int valueType = in.mediaType();
    if (in.version() < Versions.V30) {
      return new Pong(keyType, valueType, in.version(), false, false);
    }
    int version = in.u8();
    boolean hasSessions = false;
    boolean hasTimes = false;
    for (int count = in.length(); count > 0; count--) {
      int operation = in.u16();
      hasSessions |= operation == SessionExtension.ANNOUNCEMENT;
      hasTimes |= operation == TimesExtension.ANNOUNCEMENT;
    }
    return new Pong(keyType, valueType, version, hasSessions, hasTimes);
  }
}

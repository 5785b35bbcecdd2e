package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;

/** One step of a login. */
final class AuthOperation extends Operation<AuthOperation.Step> {
  private final String mechanism;
  private final byte[] response;

  /** The server's answer. */
  static final class Step {
    private final boolean completed;
    private final byte[] challenge;

    private Step(boolean completed, byte[] challenge) {
      this.completed = completed;
      this.challenge = challenge;
    }

    boolean isCompleted() {
      return completed;
    }

    byte[] challenge() {
      return challenge;
    }
  }

  AuthOperation(RequestFormat format, String mechanism, byte[] response) {
    super(format);
    this.mechanism = mechanism;
    this.response = response;
  }

  @Override
  int opcode() {
    return Opcodes.AUTH;
  }

  @Override
  int size() {
    return response.length;
  }

  @Override
  void encode(RequestWriter out) {
    out.string(mechanism);
    out.bytes(response);
  }

  @Override
  Step decode(ResponseReader in, int status) {
    boolean completed = in.u8() != 0;
    return new Step(completed, in.bytes());
  }
}

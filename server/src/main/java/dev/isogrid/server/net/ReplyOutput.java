package dev.isogrid.server.net;

import io.netty.buffer.ByteBuf;

/** The output of one connection's replies, in order. Not thread-safe. */
public interface ReplyOutput {
  /** The buffer for a reply. Get it anew for each reply; owned by the output. */
  ByteBuf buffer();

  /**
   * Appends a large part of a reply without copying it, after all earlier output.
   *
   * @param part taken: released when it is sent or dropped
   */
  void write(ByteBuf part);
}

package dev.isogrid.server.net;

import io.netty.buffer.ByteBuf;

/** Where the replies of one connection go, in their order. Not thread-safe. */
public interface ReplyOutput {
  /** Where to append replies. Ask for it anew for each reply; owned by the output. */
  ByteBuf buffer();

  /**
   * Appends a large part of a reply without copying it, after all that was appended before.
   *
   * @param part taken: released when it is sent or dropped
   */
  void write(ByteBuf part);
}

package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;

/** Writes the body of a reply, part by part. Not thread-safe. */
interface BodyParts {
  /** Whether writing a part may wait for other nodes, or for the disk. */
  boolean mayWait();

  /**
   * Writes the next part.
   *
   * @return whether it was the last one
   */
  boolean writePart(ByteBuf out);
}

package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;

/**
 * Writes the body of a reply, part by part, on a thread that may block. A part may wait for other
 * nodes or for the disk, or take long, as one large value does. Not thread-safe.
 */
interface BodyParts {
  /**
   * Writes the next part.
   *
   * @return whether it was the last one
   */
  boolean writePart(ByteBuf out);
}

package dev.isogrid.api;

import java.io.Serializable;
import java.nio.ByteBuffer;

/** Says where large values of a {@link BytesMapper} may be cut. Must keep no state. */
@FunctionalInterface
public interface BytesSplitter extends Serializable {
  /**
   * Finds the next place where another part may begin; see {@link BytesMapper#splitPoint}.
   *
   * @param value all of the value's bytes, from 0 to the limit; valid during the call only, not to
   *     be changed
   * @param from 1 to the limit - 1
   * @return {@code from} to the limit; the limit if there is no such place
   */
  int splitPoint(ByteBuffer value, int from);
}

package dev.isogrid.engine;

import org.jspecify.annotations.Nullable;

/**
 * Stands in a record for an answer that is too large to be kept by all replicas.
 *
 * @param isSilent whether listeners are not to be told of the write
 */
record OmittedAnswer(boolean isSilent) implements Sized {
  /** Returns the stand-in of an answer. */
  static OmittedAnswer of(@Nullable Object answer) {
    return new OmittedAnswer(answer instanceof WriteResult result && result.isSilent());
  }

  @Override
  public int sizeBytes() {
    return SMALL_BYTES;
  }
}

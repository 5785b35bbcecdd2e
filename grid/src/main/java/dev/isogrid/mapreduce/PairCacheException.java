package dev.isogrid.mapreduce;

import org.jspecify.annotations.Nullable;

/** A cache of the user's choice lost pairs; the message names it and the remedy. */
final class PairCacheException extends RuntimeException {
  private static final long serialVersionUID = 1;

  PairCacheException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

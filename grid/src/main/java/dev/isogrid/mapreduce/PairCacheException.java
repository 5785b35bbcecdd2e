package dev.isogrid.mapreduce;

import org.jspecify.annotations.Nullable;

/** A cache of the user's choice did not keep pairs; the message says which, and what to do. */
final class PairCacheException extends RuntimeException {
  private static final long serialVersionUID = 1;

  PairCacheException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package dev.isogrid.node;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Closes the parts of something, also those after one that fails. */
final class Closing {
  private Closing() {}

  /**
   * Closes parts in their order.
   *
   * @throws RuntimeException of the first one that failed; the others have their failures in it
   */
  static void all(List<Runnable> parts) {
    Throwable first = null;
    for (Runnable part : parts) {
      try {
        part.run();
      } catch (RuntimeException | Error failure) {
        first = joined(first, failure);
      }
    }
    if (first instanceof Error error) {
      throw error;
    }
    if (first instanceof RuntimeException failure) {
      throw failure;
    }
  }

  private static Throwable joined(@Nullable Throwable first, Throwable next) {
    if (first == null) {
      return next;
    }
    if (!first.equals(next)) { // the same one can't be in itself
      first.addSuppressed(next);
    }
    return first;
  }
}

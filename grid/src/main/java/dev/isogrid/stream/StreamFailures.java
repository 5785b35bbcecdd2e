package dev.isogrid.stream;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.NodeFailureNote;
import org.jspecify.annotations.Nullable;

/** Converts failures of users' functions for the caller. */
final class StreamFailures {
  private StreamFailures() {}

  /** A failure with a note that has its location. */
  static RuntimeException at(Throwable failure, String node, String cache, int segment) {
    boolean isOfUser = !(failure instanceof GridException);
    if (isOfUser && failure.getSuppressed().length == 0) {
      failure.addSuppressed(
          new NodeFailureNote(node, "cache=%s, segment=%d".formatted(cache, segment)));
    }
    return unchecked(failure);
  }

  /** A failure as an unchecked exception; throws errors itself. */
  static RuntimeException unchecked(@Nullable Throwable failure) {
    return switch (failure) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      case null -> new FatalGridException("failed without a cause");
      default -> new FatalGridException("failed: " + failure, failure);
    };
  }
}

package dev.isogrid.engine;

/**
 * A client's number of one of its operations, so that it takes effect once over all attempts.
 *
 * @param id the operation; its session is one of a client
 * @param ackedUpTo the client is done with its operations up to this number, below that of the
 *     operation
 * @param ageMillis how long ago the client sent it first; {@link #FIRST} if it was not sent before
 */
public record ClientOperation(OperationId id, long ackedUpTo, long ageMillis) {
  /** As the age: it was not sent before. */
  public static final long FIRST = -1;

  /** From here on nodes count the attempts at an operation that a client repeats. */
  static final int REPEATED_ATTEMPTS = 1 << 20;

  /** Checks the numbers. */
  public ClientOperation {
    if (!id.session().isOfClient() || ackedUpTo < 0 || ackedUpTo >= id.number()) {
      throw new IllegalArgumentException(
          "no operation of a client: id=%s, ackedUpTo=%d".formatted(id, ackedUpTo));
    }
  }

  /** Whether a server may have carried it out before. */
  public boolean isRepeated() {
    return ageMillis != FIRST;
  }

  /** Tells an engine which operation of a client a write is. */
  public interface Source {
    /** Whether a server may have carried it out before. */
    boolean isRepeated();

    /** Makes the operation; called when the write is sent to the primary of its segment. */
    ClientOperation operation();
  }
}

package dev.isogrid.node;

/** Throws exceptions that the compiler does not see, as callbacks in other languages may. */
final class Unseen {
  private Unseen() {}

  /** Throws an exception; call it with {@code RuntimeException} as type. */
  @SuppressWarnings("unchecked") // the compiler believes it
  static <X extends Exception> void thrown(Exception exception) throws X {
    throw (X) exception;
  }
}

package dev.isogrid.mapreduce;

/** A node does not know, or no longer, what it is asked about: it was cut off and given up. */
final class NoSuchTaskException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoSuchTaskException(String message) {
    super(message);
  }
}

package dev.isogrid.mapreduce;

/** A node does not know the task of a request, or no longer: it was cut off and given up. */
final class NoSuchTaskException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoSuchTaskException(String message) {
    super(message);
  }
}

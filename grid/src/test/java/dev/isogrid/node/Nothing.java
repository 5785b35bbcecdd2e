package dev.isogrid.node;

/** A null of every type, to show that it is refused. */
final class Nothing {
  private Nothing() {}

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // the lie is what it is for
  static <T> T nothing() {
    return null;
  }
}

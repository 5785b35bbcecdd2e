package dev.isogrid.client;

/** A counter of this name does not exist. */
public final class CounterNotFoundException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  CounterNotFoundException(String name) {
    super("no such counter: name=%s; define it first".formatted(name));
  }
}

package dev.isogrid.client;

/** There is no counter of a name. */
public final class CounterNotFoundException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  CounterNotFoundException(String name) {
    super("no such counter: name=%s; define it first".formatted(name));
  }
}

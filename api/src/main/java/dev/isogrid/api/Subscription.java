package dev.isogrid.api;

/** A listener's registration. Closing it ends the delivery; closing it twice is harmless. */
public interface Subscription extends AutoCloseable {
  /** Ends the registration. An event that is being delivered may still arrive. */
  @Override
  void close();
}

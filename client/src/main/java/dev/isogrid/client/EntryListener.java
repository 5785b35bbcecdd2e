package dev.isogrid.client;

/**
 * Receives the changes of a cache's entries. A listener overrides the methods that it needs. They
 * are called one after the other, in the order in which the server sent the events, by threads of
 * the client that may block. An exception that it throws is logged.
 *
 * <p>Registered by {@link RemoteCache#addClientListener(EntryListener, ListenerOptions)}. The
 * servers send events after the fact; those of a key come in order. Events that a listener does not
 * take in time, or that happened while there was no connection, are lost, and {@link
 * #onInterrupted} says so.
 */
public interface EntryListener<K, V> {
  /** An entry was created; or was there before the listener, see {@link EntryEvent#isState}. */
  default void onCreated(EntryEvent<K, V> event) {}

  /** An entry got another value. */
  default void onModified(EntryEvent<K, V> event) {}

  /** An entry was removed. */
  default void onRemoved(EntryEvent<K, V> event) {}

  /** An entry was found to have expired. */
  default void onExpired(EntryEvent<K, V> event) {}

  /** Events may be missing between the events before this call and those after it. */
  default void onInterrupted(Interruption interruption) {}

  /**
   * The reason for which events may be missing.
   *
   * @param reason the cause
   * @param lostEvents how many events were lost, as far as it is known; 0 if it is not
   * @param isStateNext whether the entries of the cache will be sent, as after the registration
   */
  record Interruption(Reason reason, long lostEvents, boolean isStateNext) {}

  /** Reasons of interruptions. */
  enum Reason {
    /** The connection was lost; the listener is being registered at another server, or the same. */
    CONNECTION_LOST,
    /** Too many events waited for the listener; it continues. */
    QUEUE_FULL
  }
}

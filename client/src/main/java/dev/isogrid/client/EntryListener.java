package dev.isogrid.client;

/**
 * Hears of changes of a cache's entries. A listener overrides what it wants to know, and is told
 * one thing after the other, in the order in which the server sent them, by threads of the client
 * that may be made to wait. What it throws is logged.
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

  /** An entry expired, and was found to have. */
  default void onExpired(EntryEvent<K, V> event) {}

  /** Events may be missing between what was told before and what will be told afterwards. */
  default void onInterrupted(Interruption interruption) {}

  /**
   * Why events may be missing.
   *
   * @param reason what happened
   * @param lostEvents how many events were lost, as far as it is known; 0 if it is not
   * @param isStateNext whether the entries of the cache will be told, as after the registration
   */
  record Interruption(Reason reason, long lostEvents, boolean isStateNext) {}

  /** Reasons of interruptions. */
  enum Reason {
    /** The connection was lost; the listener is being registered at another server, or the same. */
    CONNECTION_LOST,
    /** The listener did not take its events, of which too many waited; it goes on. */
    QUEUE_FULL
  }
}

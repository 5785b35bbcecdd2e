package dev.isogrid.server.hotrod;

/** The content of a listener's events. */
enum EventContent {
  /** The key, and the version if there is an entry. */
  PLAIN,

  /**
   * Key, value and version in the server's layout: its converter for near caches and similar uses.
   */
  KEY_VALUE_VERSION,

  /** Key, value and previous value as one object: the server's converter for that. */
  KEY_VALUE_PREVIOUS,

  /** The result of a deployed converter. */
  MADE;

  /** Whether it includes the value, or a result made from it. */
  boolean hasValue() {
    return this != PLAIN;
  }

  /** Whether it includes the previous value. */
  boolean hasPrevious() {
    return this == KEY_VALUE_PREVIOUS;
  }
}

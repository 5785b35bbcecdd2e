package dev.isogrid.stream;

/** What of the entries a stream begins with. */
public enum EntryPart {
  /** The keys; values are not looked at. */
  KEYS,
  /** The values; keys are not looked at. */
  VALUES,
  /** Keys and values. */
  ENTRIES,
  /** Keys and values as the bytes that they are; for caches of bytes. */
  BYTES
}

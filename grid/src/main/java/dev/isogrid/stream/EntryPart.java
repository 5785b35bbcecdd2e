package dev.isogrid.stream;

/** The part of the entries that a stream begins with. */
public enum EntryPart {
  /** The keys, without reading values. */
  KEYS,
  /** The values, without reading keys. */
  VALUES,
  /** Keys and values. */
  ENTRIES,
  /** Keys and values as raw bytes; for caches of bytes. */
  BYTES
}

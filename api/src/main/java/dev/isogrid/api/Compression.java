package dev.isogrid.api;

/** How a cache makes the values that it keeps as bytes smaller. */
public enum Compression {
  /** Values are kept as they are. */
  NONE,

  /**
   * Values of 48 B to 16 KiB are compressed with a dictionary, which each node trains from values
   * of the cache. Values that do not shrink are kept as they are. It needs {@code zstd-jni} on the
   * class path; the server has it. Readers get the values as they were written.
   */
  DICTIONARY
}

package dev.isogrid.chaos.history;

/**
 * The effect of an operation on the value of its key. A value is a positive number, and {@link
 * Operation#NONE} is the absence of an entry.
 */
public enum Kind {
  /** Reads; the result is the value. */
  GET,
  /** Writes the argument; the result is the value before, or {@link Operation#UNSEEN}. */
  PUT,
  /** Writes the argument if there is no entry; the result is the value before. */
  PUT_IF_ABSENT,
  /** Removes; the result is the value before, or {@link Operation#UNSEEN}. */
  REMOVE,
  /** Writes the argument if the value is the expected one; the result is 1 if so, else 0. */
  REPLACE_IF,
  /** Removes if the value is the expected one; the result is 1 if so, else 0. */
  REMOVE_IF
}

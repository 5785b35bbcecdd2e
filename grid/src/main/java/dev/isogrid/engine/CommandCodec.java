package dev.isogrid.engine;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import org.jspecify.annotations.Nullable;

/**
 * The commands that nodes send each other, each with a number of its own, and the keys, values and
 * answers that belong to them. What reads checks everything; the bytes may be anything.
 * Thread-safe.
 */
public interface CommandCodec {
  /**
   * The number of a kind of commands, 0 to 255, the same on all nodes.
   *
   * @throws IllegalArgumentException if the command is none of these
   */
  int opcode(Command command);

  /** Writes a command's key and arguments. */
  void write(Command command, MessageWriter out);

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws MalformedMessageException if the bytes are no command
   */
  Command read(int opcode, MessageReader in) throws MalformedMessageException;

  /** Writes a key or a scope. */
  void writeKey(Object key, MessageWriter out);

  /**
   * Reads what {@link #writeKey} wrote.
   *
   * @throws MalformedMessageException if the bytes are no key
   */
  Object readKey(MessageReader in) throws MalformedMessageException;

  /** Writes the value of an entry. */
  void writeValue(Object value, MessageWriter out);

  /**
   * Reads what {@link #writeValue} wrote.
   *
   * @throws MalformedMessageException if the bytes are no value
   */
  Object readValue(MessageReader in) throws MalformedMessageException;

  /** Writes what a copy of a segment has of an entry: its value, or a part of it. */
  default void writeCopied(Object value, MessageWriter out) {
    writeValue(value, out);
  }

  /**
   * Reads what {@link #writeCopied} wrote.
   *
   * @throws MalformedMessageException if the bytes are neither
   */
  default Object readCopied(MessageReader in) throws MalformedMessageException {
    return readValue(in);
  }

  /** Writes the answer to a command. */
  void writeAnswer(@Nullable Object answer, MessageWriter out);

  /**
   * Reads what {@link #writeAnswer} wrote.
   *
   * @throws MalformedMessageException if the bytes are no answer
   */
  @Nullable Object readAnswer(MessageReader in) throws MalformedMessageException;
}

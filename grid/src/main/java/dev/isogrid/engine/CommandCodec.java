package dev.isogrid.engine;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;

/** The commands that nodes send each other, each with a number of its own. Thread-safe. */
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
   * Reads what {@link #write} wrote. Checks everything; the bytes may be anything.
   *
   * @throws MalformedMessageException if they are no command
   */
  Command read(int opcode, MessageReader in) throws MalformedMessageException;
}

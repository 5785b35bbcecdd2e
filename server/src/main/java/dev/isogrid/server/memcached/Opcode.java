package dev.isogrid.server.memcached;

import org.jspecify.annotations.Nullable;

/** The requests of the binary protocol. Their quiet forms have no reply to success. */
enum Opcode {
  GET(0x00, Command.GET, Shape.KEY, 0),
  SET(0x01, Command.SET, Shape.KEY_AND_VALUE, 8),
  ADD(0x02, Command.ADD, Shape.KEY_AND_VALUE, 8),
  REPLACE(0x03, Command.REPLACE, Shape.KEY_AND_VALUE, 8),
  DELETE(0x04, Command.DELETE, Shape.KEY, 0),
  INCREMENT(0x05, Command.INCR, Shape.KEY, 20),
  DECREMENT(0x06, Command.DECR, Shape.KEY, 20),
  QUIT(0x07, Command.QUIT, Shape.NOTHING, 0),
  FLUSH(0x08, Command.FLUSH_ALL, Shape.NOTHING, Opcode.NONE_OR_4),
  GETQ(0x09, GET),
  NOOP(0x0a, Command.MN, Shape.NOTHING, 0),
  VERSION(0x0b, Command.VERSION, Shape.NOTHING, 0),
  GETK(0x0c, Command.GET, Shape.KEY, 0),
  GETKQ(0x0d, GETK),
  APPEND(0x0e, Command.APPEND, Shape.KEY_AND_VALUE, 0),
  PREPEND(0x0f, Command.PREPEND, Shape.KEY_AND_VALUE, 0),
  STAT(0x10, Command.STATS, Shape.MAYBE_KEY, 0),
  SETQ(0x11, SET),
  ADDQ(0x12, ADD),
  REPLACEQ(0x13, REPLACE),
  DELETEQ(0x14, DELETE),
  INCREMENTQ(0x15, INCREMENT),
  DECREMENTQ(0x16, DECREMENT),
  QUITQ(0x17, QUIT),
  FLUSHQ(0x18, FLUSH),
  APPENDQ(0x19, APPEND),
  PREPENDQ(0x1a, PREPEND),
  VERBOSITY(0x1b, Command.VERBOSITY, Shape.NOTHING, 4),
  TOUCH(0x1c, Command.TOUCH, Shape.KEY, 4),
  GAT(0x1d, Command.GAT, Shape.KEY, 4),
  GATQ(0x1e, GAT),
  SASL_LIST_MECHS(0x20, Command.QUIT, Shape.NOTHING, 0),
  SASL_AUTH(0x21, Command.QUIT, Shape.KEY_AND_VALUE, 0),
  SASL_STEP(0x22, Command.QUIT, Shape.KEY_AND_VALUE, 0),
  GATK(0x23, Command.GAT, Shape.KEY, 4),
  GATKQ(0x24, GATK);

  /** The mark of optional extras, which are absent or have 4 bytes. */
  private static final int NONE_OR_4 = -1;

  private static final int NUMBER_MAX = 0xFF;

  private static final @Nullable Opcode[] BY_NUMBER = new @Nullable Opcode[NUMBER_MAX + 1];

  static {
    for (Opcode opcode : values()) {
      BY_NUMBER[opcode.number] = opcode;
    }
  }

  /** The parts of the body after the extras. */
  private enum Shape {
    NOTHING,
    KEY,
    MAYBE_KEY,
    KEY_AND_VALUE
  }

  private final int number;
  private final Command command;
  private final Shape shape;
  private final int extrasLength;
  private final @Nullable Opcode loud;

  Opcode(int number, Command command, Shape shape, int extrasLength) {
    this.number = number;
    this.command = command;
    this.shape = shape;
    this.extrasLength = extrasLength;
    this.loud = null;
  }

  Opcode(int number, Opcode loud) {
    this.number = number;
    this.command = loud.command;
    this.shape = loud.shape;
    this.extrasLength = loud.extrasLength;
    this.loud = loud;
  }

  /** The request with a number from 0 to 255, or null. */
  static @Nullable Opcode of(int number) {
    return BY_NUMBER[number];
  }

  /** The command of the text protocol that needs the same permissions; QUIT for a login. */
  Command command() {
    return command;
  }

  /** Whether it is a quiet form. */
  boolean isQuiet() {
    return loud != null;
  }

  /** The same request with all replies. */
  Opcode loud() {
    return loud == null ? this : loud;
  }

  /** Whether it is part of a login. */
  boolean isLogin() {
    return this == SASL_LIST_MECHS || this == SASL_AUTH || this == SASL_STEP;
  }

  /** Whether it has a value to store. */
  boolean isStore() {
    return shape == Shape.KEY_AND_VALUE && !isLogin();
  }

  /** Whether a request has exactly the parts that this one needs. */
  boolean fits(BinaryHeader header) {
    int extras = header.extrasLength();
    boolean fitsExtras =
        extrasLength == NONE_OR_4 ? extras == 0 || extras == 4 : extras == extrasLength;
    return fitsExtras
        && switch (shape) {
          case NOTHING -> header.keyLength() == 0 && header.valueLength() == 0;
          case KEY -> header.keyLength() > 0 && header.valueLength() == 0;
          case MAYBE_KEY -> header.valueLength() == 0;
          case KEY_AND_VALUE -> header.keyLength() > 0;
        };
  }
}

package dev.isogrid.engine;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.codec.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A few commands on bytes.
 *
 * @param kind what to do
 * @param value what is stored, or empty
 */
record TestCommand(Kind kind, ByteString key, ByteString value) implements Command {
  static final List<Kind> KINDS = List.of(Kind.values());

  private static final ByteString NONE = ByteString.of(new byte[0]);

  enum Kind {
    GET,
    PUT,
    PUT_IF_ABSENT,
    REMOVE
  }

  static TestCommand get(ByteString key) {
    return new TestCommand(Kind.GET, key, NONE);
  }

  static TestCommand put(ByteString key, ByteString value) {
    return new TestCommand(Kind.PUT, key, value);
  }

  @Override
  public boolean isRead() {
    return kind == Kind.GET;
  }

  @Override
  public int sizeBytes() {
    return value.length();
  }

  @Override
  public Decision decide(@Nullable Object current, long seq, long nextSeq) {
    return switch (kind) {
      case GET -> new Decision(false, null, current);
      case PUT -> new Decision(true, value, current);
      case PUT_IF_ABSENT -> new Decision(current == null, value, current == null);
      case REMOVE -> new Decision(current != null, null, current != null);
    };
  }

  /** Their codec. */
  static final class Codec implements CommandCodec {
    private static final int NULL = 0;
    private static final int FALSE = 1;
    private static final int TRUE = 2;
    private static final int NUMBER = 3;
    private static final int BYTES = 4;

    @Override
    public int opcode(Command command) {
      return KINDS.indexOf(((TestCommand) command).kind);
    }

    @Override
    public void write(Command command, MessageWriter out) {
      TestCommand test = (TestCommand) command;
      out.putBytes(test.key);
      out.putBytes(test.value);
    }

    @Override
    public Command read(int opcode, MessageReader in) throws MalformedMessageException {
      if (opcode >= KINDS.size()) {
        throw in.malformed("opcode", opcode, "unknown");
      }
      ByteString key = in.bytes("key");
      return new TestCommand(KINDS.get(opcode), key, in.bytes("value"));
    }

    @Override
    public void writeKey(Object key, MessageWriter out) {
      out.putBytes((ByteString) key);
    }

    @Override
    public Object readKey(MessageReader in) throws MalformedMessageException {
      return in.bytes("key");
    }

    @Override
    public void writeValue(Object value, MessageWriter out) {
      out.putBytes((ByteString) value);
    }

    @Override
    public Object readValue(MessageReader in) throws MalformedMessageException {
      return in.bytes("value");
    }

    @Override
    public void writeAnswer(@Nullable Object answer, MessageWriter out) {
      switch (answer) {
        case null -> out.putByte(NULL);
        case Boolean is -> out.putByte(is ? TRUE : FALSE);
        case Long number -> {
          out.putByte(NUMBER);
          out.putLong(number);
        }
        default -> {
          out.putByte(BYTES);
          out.putBytes((ByteString) answer);
        }
      }
    }

    @Override
    public @Nullable Object readAnswer(MessageReader in) throws MalformedMessageException {
      int tag = in.unsignedByte("answer");
      return switch (tag) {
        case NULL -> null;
        case FALSE -> false;
        case TRUE -> true;
        case NUMBER -> in.int64("answer");
        case BYTES -> in.bytes("answer");
        default -> throw in.malformed("answer", tag, "unknown");
      };
    }
  }
}

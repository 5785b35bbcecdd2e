package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An operation on a counter. Its body begins with the counter's name, and it goes to the server
 * that has the counter. Changes that may have been done are not tried again, unless servers
 * recognise them by their number.
 */
abstract class CounterRequest<T extends @Nullable Object> extends Operation<T> {
  /** The cache that counters are in. */
  static final String CACHE = "org.infinispan.COUNTER";

  private final int opcode;
  private final String name;

  CounterRequest(RequestFormat format, int opcode, String name) {
    super(format);
    this.opcode = opcode;
    this.name = name;
  }

  final String name() {
    return name;
  }

  @Override
  final int opcode() {
    return opcode;
  }

  @Override
  final byte[] routingKey() {
    int hash = Arrays.hashCode(name.getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(hash).array();
  }

  @Override
  final boolean isRepeatable() {
    return switch (opcode) {
      case Opcodes.COUNTER_GET,
          Opcodes.COUNTER_IS_DEFINED,
          Opcodes.COUNTER_GET_CONFIGURATION,
          Opcodes.COUNTER_ADD_LISTENER ->
          true;
      default -> false;
    };
  }

  @Override
  final boolean isNumbered() {
    return switch (opcode) {
      case Opcodes.COUNTER_ADD_AND_GET,
          Opcodes.COUNTER_GET_AND_SET,
          Opcodes.COUNTER_COMPARE_AND_SWAP,
          Opcodes.COUNTER_RESET,
          Opcodes.COUNTER_REMOVE ->
          true;
      default -> false;
    };
  }

  @Override
  final int versionMin() {
    return opcode == Opcodes.COUNTER_GET_AND_SET ? Versions.V31 : Versions.V27;
  }

  @Override
  int size() {
    return name.length();
  }

  @Override
  void encode(RequestWriter out) {
    out.string(name);
  }

  /**
   * The server's answer.
   *
   * @param status one of {@link Statuses}
   * @param value 0 unless the operation has a result and the status is OK
   */
  record Answer(int status, long value) {}

  /** An operation on the value, or with a status for its answer. */
  static final class OfNumbers extends CounterRequest<Answer> {
    private final long[] operands;

    OfNumbers(RequestFormat format, int opcode, String name, long... operands) {
      super(format, opcode, name);
      this.operands = operands;
    }

    @Override
    void encode(RequestWriter out) {
      super.encode(out);
      for (long operand : operands) {
        out.i64(operand);
      }
    }

    @Override
    Answer decode(ResponseReader in, int status) {
      boolean hasValue = status == Statuses.OK && (operands.length > 0 || isGet());
      return new Answer(status, hasValue ? in.i64() : 0);
    }

    private boolean isGet() {
      return opcode() == Opcodes.COUNTER_GET;
    }
  }

  /** Defines a counter; the result is whether there was none. */
  static final class Create extends CounterRequest<Boolean> {
    private final CounterConfiguration configuration;

    Create(RequestFormat format, String name, CounterConfiguration configuration) {
      super(format, Opcodes.COUNTER_CREATE, name);
      this.configuration = configuration;
    }

    @Override
    void encode(RequestWriter out) {
      super.encode(out);
      configuration.write(out);
    }

    @Override
    Boolean decode(ResponseReader in, int status) {
      return status == Statuses.OK;
    }
  }

  /** Reads a definition; null if there is none. */
  static final class Configuration extends CounterRequest<@Nullable CounterConfiguration> {
    Configuration(RequestFormat format, String name) {
      super(format, Opcodes.COUNTER_GET_CONFIGURATION, name);
    }

    @Override
    @Nullable CounterConfiguration decode(ResponseReader in, int status) {
      return status == Statuses.OK ? CounterConfiguration.read(in) : null;
    }
  }

  /** Begins to listen to a counter; the result is the connection of its events, or null. */
  static final class Listen extends CounterRequest<@Nullable Connection> {
    private final byte[] listenerId;

    Listen(RequestFormat format, String name, byte[] listenerId) {
      super(format, Opcodes.COUNTER_ADD_LISTENER, name);
      this.listenerId = listenerId;
      mark(ENDS_IN_TURN); // before the loss of its connection is told
    }

    @Override
    void sending(Connection through) {
      through.expectEvents();
    }

    @Override
    void encode(RequestWriter out) {
      super.encode(out);
      out.bytes(listenerId);
    }

    @Override
    @Nullable Connection decode(ResponseReader in, int status) {
      if (status == Statuses.NOT_FOUND) {
        return null;
      }
      Connection through = in.connection();
      if (isDone()) { // the caller has given up
        through.link().router().sendLastBound(new Unlisten(format(), name(), listenerId, through));
      }
      return through;
    }
  }

  /** Ends listening to a counter. */
  static final class Unlisten extends CounterRequest<@Nullable Void> {
    private final byte[] listenerId;
    private final Connection connection;

    Unlisten(RequestFormat format, String name, byte[] listenerId, Connection connection) {
      super(format, Opcodes.COUNTER_REMOVE_LISTENER, name);
      this.listenerId = listenerId;
      this.connection = connection;
    }

    @Override
    public Connection pinned() {
      return connection;
    }

    @Override
    boolean isRetryable() {
      return false;
    }

    @Override
    void encode(RequestWriter out) {
      super.encode(out);
      out.bytes(listenerId);
    }

    @Override
    @Nullable Void decode(ResponseReader in, int status) {
      return null;
    }
  }

  /** Reads the names of all counters. */
  static final class Names extends Operation<Set<String>> {
    Names(RequestFormat format) {
      super(format);
    }

    @Override
    int opcode() {
      return Opcodes.COUNTER_GET_NAMES;
    }

    @Override
    Set<String> decode(ResponseReader in, int status) {
      Set<String> names = new TreeSet<>();
      for (int count = in.length(); count > 0; count--) {
        names.add(in.string());
      }
      return names;
    }
  }
}

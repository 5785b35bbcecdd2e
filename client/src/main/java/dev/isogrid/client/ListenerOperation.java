package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations on listeners: add, with or without a bloom filter, and remove. */
abstract class ListenerOperation<T extends @Nullable Object> extends Operation<T> {
  private final KeyBytes id;

  private ListenerOperation(RequestFormat format, KeyBytes id) {
    super(format);
    this.id = id;
  }

  @Override
  void encode(RequestWriter out) {
    out.bytes(id.bytes());
  }

  /** Sent once: the caller repeats it, since it has to know of each try. */
  @Override
  final boolean isRetryable() {
    return false;
  }

  /** Adds a listener; its events go to the sink from the moment when this is sent. */
  abstract static class Adding extends ListenerOperation<@Nullable Void> {
    private final KeyBytes id;
    private final EventSinks.EventSink sink;

    /** Written by the event loop before the result. */
    private @Nullable Connection connection;

    Adding(RequestFormat format, KeyBytes id, EventSinks.EventSink sink) {
      super(format, id);
      this.id = id;
      this.sink = sink;
      mark(ENDS_IN_TURN); // before the loss of its connection is told
    }

    final KeyBytes id() {
      return id;
    }

    /**
     * The connection on which it was sent, or null if it was not; for the receiver of the result.
     */
    final @Nullable Connection connection() {
      return connection;
    }

    @Override
    final void sending(Connection through) {
      connection = through;
      through.events().add(id, sink);
      through.expectEvents();
    }

    @Override
    final @Nullable Void decode(ResponseReader in, int status) {
      return null;
    }
  }

  /**
   * Adds a listener. The body of the request:
   *
   * <pre>
   * bytes id | u8 state wanted | filter | converter | from 2.1: u8 raw
   *   | from 2.6: vInt bits of wanted events; before it gets all
   * filter, converter: string name | if it is not empty: u8 count | count times: bytes
   * </pre>
   */
  static final class Add extends Adding {
    private final ListenerOptions options;

    Add(RequestFormat format, KeyBytes id, EventSinks.EventSink sink, ListenerOptions options) {
      super(format, id, sink);
      this.options = options;
    }

    @Override
    int opcode() {
      return Opcodes.ADD_CLIENT_LISTENER;
    }

    @Override
    int versionMin() {
      return options.includesValues() || options.usesRawData() ? Versions.V21 : Versions.V20;
    }

    @Override
    void encode(RequestWriter out) {
      super.encode(out);
      out.u8(options.includesState() ? 1 : 0);
      writeFactory(out, options.filter());
      if (options.includesValues()) {
        out.string(HotRod.KEY_VALUE_VERSION_CONVERTER);
        out.u8(0);
      } else {
        writeFactory(out, options.converter());
      }
      if (out.version() >= Versions.V21) {
        out.u8(options.includesValues() || options.usesRawData() ? 1 : 0);
      }
      if (out.version() >= Versions.V26) {
        writeKinds(out);
      }
    }

    private void writeKinds(RequestWriter out) {
      int bits = 0;
      for (EntryEvent.Kind kind : options.kinds()) {
        bits |= RawEvent.Kind.valueOf(kind.name()).bit();
      }
      out.vInt(bits);
    }

    private void writeFactory(RequestWriter out, ListenerOptions.@Nullable Factory factory) {
      if (factory == null) {
        out.string("");
        return;
      }
      out.string(factory.name());
      List<Object> parameters = factory.parameters();
      out.u8(parameters.size());
      for (Object parameter : parameters) {
        boolean isBytes = options.usesRawData() && parameter instanceof byte[];
        out.bytes(isBytes ? (byte[]) parameter : format().values().keyBytes(parameter));
      }
    }
  }

  /** Adds a listener of a near cache whose keys the server keeps in a bloom filter. */
  static final class AddNear extends Adding {
    private final int bits;

    AddNear(RequestFormat format, KeyBytes id, EventSinks.EventSink sink, int bits) {
      super(format, id, sink);
      this.bits = bits;
    }

    @Override
    int opcode() {
      return Opcodes.ADD_BLOOM_LISTENER;
    }

    @Override
    int versionMin() {
      return Versions.V31;
    }

    @Override
    void encode(RequestWriter out) {
      super.encode(out);
      out.vInt(bits);
    }
  }

  /** Removes a listener; false if the server did not have it. */
  static final class Remove extends ListenerOperation<Boolean> {
    private final Connection connection;

    Remove(RequestFormat format, KeyBytes id, Connection connection) {
      super(format.withoutTypes(), id);
      this.connection = connection;
    }

    @Override
    int opcode() {
      return Opcodes.REMOVE_CLIENT_LISTENER;
    }

    @Override
    public Connection pinned() {
      return connection;
    }

    @Override
    Boolean decode(ResponseReader in, int status) {
      return status == Statuses.OK;
    }
  }
}

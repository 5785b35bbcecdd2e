package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The operations of an iteration: start, next batch, end. */
abstract class IterationOperation<T extends @Nullable Object> extends Operation<T> {
  private IterationOperation(RequestFormat format) {
    super(format);
  }

  /**
   * Begins one and returns its id. The body of the request:
   *
   * <pre>
   * segments: sInt length, -1 for all | bits | filter's name: sInt length, -1 for none | UTF-8
   *   | if there is a name, from 2.4: u8 count | count times: bytes
   *   | vInt batch size | from 2.4: u8 metadata wanted
   * </pre>
   */
  static final class Start extends IterationOperation<String> {
    private final IterationQuery query;
    private final @Nullable BitSet segments;
    private final @Nullable ServerLink preferred;

    /** Written by the event loop before the result. */
    private @Nullable Connection connection;

    Start(
        RequestFormat format,
        IterationQuery query,
        @Nullable BitSet segments,
        @Nullable ServerLink preferred) {
      super(format);
      this.query = query;
      this.segments = segments;
      this.preferred = preferred;
    }

    /** The connection for the rest of the iteration; for the thread that has the result. */
    Connection connection() {
      return Objects.requireNonNull(connection);
    }

    @Override
    int opcode() {
      return Opcodes.ITERATION_START;
    }

    @Override
    @Nullable ServerLink preferred() {
      return preferred;
    }

    @Override
    int versionMin() {
      if (query.hasMetadata()) {
        return Versions.V25;
      }
      return query.parameters().isEmpty() ? Versions.V23 : Versions.V24;
    }

    @Override
    void sending(Connection through) {
      connection = through;
    }

    @Override
    void encode(RequestWriter out) {
      if (segments == null) {
        out.sInt(-1);
      } else {
        byte[] bits = segments.toByteArray();
        out.sInt(bits.length);
        out.raw(bits);
      }
      String factory = query.factory();
      if (factory == null) {
        out.sInt(-1);
      } else {
        byte[] name = factory.getBytes(StandardCharsets.UTF_8);
        out.sInt(name.length);
        out.raw(name);
        if (out.version() >= Versions.V24) {
          out.u8(query.parameters().size());
          query.parameters().forEach(out::bytes);
        }
      }
      out.vInt(query.batchEntries());
      if (out.version() >= Versions.V24) {
        out.u8(query.hasMetadata() ? 1 : 0);
      }
    }

    @Override
    int size() {
      return segments == null ? 0 : segments.length() / Byte.SIZE;
    }

    @Override
    String decode(ResponseReader in, int status) {
      return in.string();
    }
  }

  /** An entry. */
  static final class Row {
    private final byte[] keyBytes;
    private final @Nullable Object key;
    private final @Nullable Object value;
    private final @Nullable MetadataValue<Boolean> metadata;

    Row(
        byte[] keyBytes,
        @Nullable Object key,
        @Nullable Object value,
        @Nullable MetadataValue<Boolean> metadata) {
      this.keyBytes = keyBytes;
      this.key = key;
      this.value = value;
      this.metadata = metadata;
    }

    byte[] keyBytes() {
      return keyBytes;
    }

    @Nullable Object key() {
      return key;
    }

    /** The value, or null if it was not asked for. */
    @Nullable Object value() {
      return value;
    }

    /** The same with objects where {@link Undecoded} stands for them. */
    Row resolved() {
      return new Row(keyBytes, Undecoded.object(key), Undecoded.object(value), metadata);
    }

    /** The metadata if it was asked for; without the value. */
    @Nullable MetadataValue<Boolean> metadata() {
      return metadata;
    }
  }

  /**
   * Some entries.
   *
   * @param finished segments of which all entries were in this or in earlier batches
   * @param rows none if there are no more
   * @param isKnown false if the server does not know the iteration any more
   */
  record Batch(BitSet finished, List<Row> rows, boolean isKnown) {
    Batch resolved() {
      return new Batch(finished, rows.stream().map(Row::resolved).toList(), isKnown);
    }

    boolean isLast() {
      return rows.isEmpty();
    }
  }

  /**
   * Reads the next entries. Reads the response as it arrives, since it may be large; so the request
   * must not be sent twice.
   */
  static final class Next extends IterationOperation<Batch> {
    private final Connection connection;
    private final String id;

    // the progress of reading the response
    private @Nullable BitSet finished;
    private int expected;
    private int projections = 1;
    private final List<Row> rows = new ArrayList<>();

    Next(RequestFormat format, Connection connection, String id) {
      super(format);
      this.connection = connection;
      this.id = id;
    }

    @Override
    int opcode() {
      return Opcodes.ITERATION_NEXT;
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
      out.string(id);
    }

    @Override
    Batch resolved(Batch result) {
      return result.resolved();
    }

    @Override
    Batch decode(ResponseReader in, int status) {
      BitSet segments = finished;
      if (segments == null) {
        segments = BitSet.valueOf(in.bytes());
        expected = in.length();
        projections = expected > 0 && in.version() >= Versions.V24 ? in.length() : 1;
        in.commit();
        finished = segments;
      }
      while (rows.size() < expected) {
        rows.add(row(in));
        in.commit();
      }
      return new Batch(segments, rows, status != Statuses.UNKNOWN_ITERATION);
    }

    private Row row(ResponseReader in) {
      boolean hasMetadata = in.version() >= Versions.V25 && in.u8() != 0;
      MetadataValue<Boolean> metadata = hasMetadata ? in.metadata() : null;
      byte[] keyBytes = in.bytes();
      Object value = null;
      for (int i = 0; i < projections; i++) {
        Object read = in.object(format().values());
        value = i == 0 ? read : value;
      }
      return new Row(keyBytes, in.object(format().keys(), keyBytes), value, metadata);
    }
  }

  /** Ends one. */
  static final class End extends IterationOperation<@Nullable Void> {
    private final Connection connection;
    private final String id;

    End(RequestFormat format, Connection connection, String id) {
      super(format.withoutTypes());
      this.connection = connection;
      this.id = id;
    }

    @Override
    int opcode() {
      return Opcodes.ITERATION_END;
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
      out.string(id);
    }

    @Override
    @Nullable Void decode(ResponseReader in, int status) {
      return null;
    }
  }
}

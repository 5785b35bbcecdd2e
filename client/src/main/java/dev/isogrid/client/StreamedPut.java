package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;

/** The times, flags and condition of a value that is streamed to a server. Immutable. */
final class StreamedPut {
  /** An expected version that stands for any version, or no entry. */
  private static final long ANY_VERSION = 0;

  private final Router router;
  private final RequestFormat format;
  private final byte[] key;
  private final Lifetime lifetime;
  private final long version;

  private StreamedPut(StreamedPut.Target target, Lifetime lifetime, long version) {
    this.router = target.router;
    this.format = target.format;
    this.key = target.key;
    this.lifetime = lifetime;
    this.version = version;
  }

  /** The entry that is to be written. */
  static final class Target {
    private final Router router;
    private final RequestFormat format;
    private final byte[] key;

    Target(Router router, RequestFormat format, byte[] key) {
      this.router = router;
      this.format = format;
      this.key = key;
    }

    /** Stores in any case. */
    StreamedPut put(Lifetime lifetime) {
      return new StreamedPut(this, lifetime, ANY_VERSION);
    }

    /** Stores if there is no entry. */
    StreamedPut putIfAbsent(Lifetime lifetime) {
      return new StreamedPut(this, lifetime, HotRod.VERSION_NONE);
    }

    /** Stores if the entry has a version. */
    StreamedPut replace(Lifetime lifetime, long version) {
      if (version == ANY_VERSION || version == HotRod.VERSION_NONE) {
        throw new IllegalArgumentException(
            "no entry has this version: version=%d; give one that was read".formatted(version));
      }
      return new StreamedPut(this, lifetime, version);
    }
  }

  /** Begins a stream at the server. */
  Operation<ValueStream> start() {
    return router.send(new Start(this));
  }

  /**
   * Stores a value that turned out to be small, without a stream.
   *
   * @param bytes borrowed until it is answered
   * @return the status, as that of the last portion of a stream
   */
  Operation<Integer> whole(byte[] bytes) {
    return router.send(new Whole(this, bytes));
  }

  /** Whether a status says that the value was stored. */
  static boolean isStored(int status) {
    return status == Statuses.OK || status == Statuses.OK_WITH_PREVIOUS;
  }

  private int wholeOpcode() {
    if (version == ANY_VERSION) {
      return Opcodes.PUT;
    }
    return version == HotRod.VERSION_NONE ? Opcodes.PUT_IF_ABSENT : Opcodes.REPLACE_IF_UNMODIFIED;
  }

  private static final class Start extends KeyOperation<ValueStream> {
    private final StreamedPut put;

    Start(StreamedPut put) {
      super(put.format, put.key);
      this.put = put;
    }

    @Override
    int opcode() {
      return Opcodes.START_PUT_STREAM;
    }

    @Override
    int versionMin() {
      return Versions.V41;
    }

    @Override
    void encode(RequestWriter out) {
      super.encode(out);
      put.lifetime.write(out);
      out.i64(put.version);
    }

    @Override
    ValueStream decode(ResponseReader in, int status) {
      ValueStream stream = new ValueStream(format(), in.connection(), in.i32());
      if (isDone()) {
        stream.endWrite(); // the caller has given up
      }
      return stream;
    }
  }

  private static final class Whole extends WriteOperation<Integer> {
    private final long version;

    Whole(StreamedPut put, byte[] bytes) {
      super(
          put.format,
          put.key,
          put.wholeOpcode(),
          new WrittenValue(bytes, bytes.length, 0, put.lifetime, null));
      this.version = put.version;
    }

    @Override
    long version() {
      return version;
    }

    @Override
    Integer decode(ResponseReader in, int status) {
      return status;
    }
  }
}

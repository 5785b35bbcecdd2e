package dev.isogrid.client;

import dev.isogrid.client.spi.PoolConnection;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.RequestFlags;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection: writes requests in batches, and matches answers by their message ids. Belongs to
 * the turn of its event loop.
 */
final class Connection implements PoolConnection {
  /*
   * A state machine in one class, whose fields belong to the turn of the event loop:
   *
   *   connecting -> agreeing on TLS -> shaking hands (login, version) -> ready -> closed
   *
   * and from each state to closed. Invariants:
   *
   * - Requests of callers are encoded in the state ready only, those of the handshake before it.
   * - An operation is in the ring from its encoding until its answer was read to its end, even if
   *   its caller gave up, or until drain() hands it back. The loop counts it for as long.
   * - Bytes that the socket did not take stay in the writer. Nothing more is encoded until they
   *   are gone (isWritable), so the writer holds a batch and one request at most.
   * - The loop watches for more than answers (isExpecting) from the opening until the state ready,
   *   and while listeners may get events.
   * - closed() is called once, as work of its own after the step that closed the connection. So no
   *   link changes while one of its connections reads or writes.
   */
  /** Enough for a batch of small requests; more are encoded when these are in the socket. */
  private static final int BATCH_BYTES = 64 << 10;

  /** The most reads in a row, before other connections get their turn. */
  private static final int READS_MAX = 16;

  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A server that owes answers and sends nothing for this long is taken for lost. */
  static final long SILENCE_MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ServerLink link;
  private final EventLoop loop;
  private final PendingRing pending;
  private final RequestWriter writer = new RequestWriter();
  private final ResponseReader reader = new ResponseReader(this);
  private final EventSinks events = new EventSinks();
  private @Nullable Wire wire;
  private int version = Versions.V31;
  private boolean isConnected;
  private boolean isShakingHands;
  private boolean isReady;
  private boolean isEnding;
  private boolean isClosed;

  /** Whether the event loop watches for something other than answers. */
  private boolean isExpecting;

  private boolean wasAnswered;
  private boolean wasTooSlow;
  private long openedNanos = Nanos.now();
  private long writtenNanos = openedNanos;
  private long readNanos = writtenNanos;

  /** Since when there has always been a request without an answer, if there is one. */
  private long owedNanos = openedNanos;

  private @Nullable HotRodClientException failure;

  /** The operation whose answer is being read, if its header has been. */
  private @Nullable Operation<?> current;

  private int currentStatus;
  private int answered;

  Connection(ServerLink link) {
    this.link = link;
    this.loop = link.loop();
    this.pending = new PendingRing(link.unansweredMax());
  }

  ServerAddress address() {
    return link.address();
  }

  ServerLink link() {
    return link;
  }

  /** The receivers of incoming events; for the event loop. */
  EventSinks events() {
    return events;
  }

  /** Begins to connect. */
  void open(Wire opened, InetSocketAddress address) throws IOException {
    if (isClosed) {
      opened.close();
      return;
    }
    opened.connect(address);
    wire = opened;
    openedNanos = Nanos.now();
    expect(true);
  }

  /** Handles a failure to open it. */
  void notOpened(IOException cause) {
    if (isClosed) {
      return;
    }
    isClosed = true;
    expect(false);
    link.lost(this, new TransportException("no connection: " + address(), cause));
  }

  private void expect(boolean more) {
    if (isExpecting != more) {
      isExpecting = more;
      loop.expect(more ? 1 : -1);
    }
  }

  /** Events may come from now on, at any time. */
  void expectEvents() {
    expect(true);
  }

  /** Reads, writes or connects, as its socket is ready. */
  void handle(SelectionKey key) {
    Wire open = wire;
    if (isClosed || open == null || !key.isValid()) {
      return;
    }
    try {
      handle(open, key.readyOps());
    } catch (EOFException ended) {
      fail(new TransportException("server closed: " + address(), null));
    } catch (SSLException refused) {
      fail(
          new TransportException(
              (open.isOpen() ? "TLS broken: " : "TLS refused: ") + address(), refused));
    } catch (IOException cause) {
      fail(
          new TransportException(
              (isConnected ? "connection broken: " : "no connection: ") + address(), cause));
    } catch (RuntimeException | Error cause) { // nonsense, or memory is short; others go on
      fail(new TransportException("connection broken: " + address(), cause));
    }
  }

  private void handle(Wire open, int operations) throws IOException {
    if ((operations & SelectionKey.OP_CONNECT) != 0) {
      open.connected();
      isConnected = true;
      openedNanos = Nanos.now();
      shakeHands(open);
      return;
    }
    if ((operations & SelectionKey.OP_WRITE) != 0) {
      open.writable();
      shakeHands(open);
      flush(open);
      write();
    }
    if ((operations & SelectionKey.OP_READ) != 0) {
      readAll(open);
    }
  }

  /** Reads and decodes in turns, so that a long answer need not be kept as a whole. */
  private void readAll(Wire open) throws IOException {
    boolean mayBeMore = true;
    for (int i = 0; i < READS_MAX && mayBeMore && !isClosed && failure == null; i++) {
      try {
        mayBeMore = open.read(reader);
      } finally {
        shakeHands(open);
        decode();
      }
    }
  }

  /** Begins the handshake, once the socket is connected and TLS agreed. */
  private void shakeHands(Wire open) {
    if (!isShakingHands && open.isOpen()) {
      isShakingHands = true;
      new Handshake(this).goOn();
    }
  }

  /** The version of the protocol that is in use. */
  @Override
  public int version() {
    return version;
  }

  /** Uses a version from now on; for the handshake. */
  void version(int spoken) {
    version = spoken;
  }

  /** Notes that the server supports sessions; for the handshake. */
  void takeSessions() {
    writer.takeSessions();
  }

  /** Notes that the server takes exact times; for the handshake. */
  void takeTimes() {
    writer.takeTimes();
  }

  /** The handshake is done: requests may be sent. */
  void ready() {
    isReady = true;
    expect(false);
    link.ready(this);
  }

  /** Whether requests may be sent. */
  @Override
  public boolean isReady() {
    return isReady;
  }

  /** The requests that are not answered. */
  @Override
  public int unanswered() {
    return pending.count();
  }

  /** Whether the server closed it instead of answering the first request. */
  @Override
  public boolean wasRefused() {
    return !isReady && !wasAnswered && !wasTooSlow && !pending.isEmpty();
  }

  /** Whether the server keeps something for the client that is bound to this connection. */
  @Override
  public boolean isListenedTo() {
    return !events.isEmpty() || link.router().counterEvents().uses(this);
  }

  /** Sends a request of the client itself at once. */
  void send(Operation<?> operation) {
    operation.deadlineNanos = Nanos.now() + link.router().operationTimeoutNanos();
    operation.attempts = Operation.LAST_TRY; // no other server could answer it
    operation.mark(Operation.ENDS_IN_TURN);
    link.permits().force(operation.permitBytes);
    if (pending.isEmpty()) {
      owedNanos = Nanos.now();
    }
    encode(operation);
    flush(Objects.requireNonNull(wire));
  }

  /** Sends waiting requests, as far as the socket and the ring have room. */
  @Override
  public void write() {
    Wire open = wire;
    if (open == null || !isReady || isClosed) {
      return;
    }
    boolean wasIdle = pending.isEmpty();
    boolean written = false;
    while (link.firstFor(this) != null && open.isWritable() && !pending.isFull() && !isClosed) {
      Operation<?> operation = link.firstFor(this);
      while (operation != null
          && writer.end() - writer.start() < BATCH_BYTES
          && !pending.isFull()) {
        link.removeFirst(operation);
        encode(operation);
        operation = link.firstFor(this);
      }
      flush(open);
      written = true;
    }
    if (written) {
      writtenNanos = Nanos.now();
      owedNanos = wasIdle ? writtenNanos : owedNanos;
    }
  }

  private void flush(Wire open) {
    try {
      open.write(writer);
    } catch (IOException cause) {
      fail(new TransportException("connection broken: " + address(), cause));
    }
  }

  private void encode(Operation<?> operation) {
    Connection only = operation.pinned();
    if (only != null && only != this) {
      link.router().failOver(operation, link, lost());
      return;
    }
    if (!operation.beginEncoding()) {
      operation.endNumber();
      link.permits().release(operation.permitBytes);
      return;
    }
    boolean takesNumbers = writer.takesSessions() && version >= Versions.V40;
    if (takesNumbers) {
      operation.takeNumber();
    }
    HotRodClientException refusal = refusal(operation);
    if (refusal != null) {
      operation.endEncoding();
      link.permits().release(operation.permitBytes);
      loop.fail(operation, refusal);
      return;
    }
    int start = writer.end();
    pending.add(operation);
    loop.sent(operation);
    operation.sending(this);
    try {
      writer.begin(version);
      operation.format().write(writer, operation);
      operation.encode(writer);
      int size = writer.end() - start;
      if (size > link.router().config().requestBytesMax()) {
        throw operation.tooLarge(size, link.router().config().requestBytesMax());
      }
      if (takesNumbers && operation.number() != 0) {
        writer.sessionNamed();
      }
    } catch (RuntimeException | Error cause) { // the half of a request must not stay in the writer
      writer.truncate(start);
      pending.remove(operation);
      loop.settled(operation);
      link.permits().release(operation.permitBytes);
      loop.fail(
          operation,
          cause instanceof RequestTooLargeException tooLarge
              ? tooLarge
              : new HotRodClientException("request can't be written", cause));
    } finally {
      operation.endEncoding();
    }
  }

  /** Why an operation can't go through this connection, or null if it can. */
  private @Nullable HotRodClientException refusal(Operation<?> operation) {
    if (version < operation.versionMin()) {
      return new HotRodClientException(
          "server too old: server=%s, operation=%s, version=%d; %d is needed"
              .formatted(
                  address(),
                  Opcodes.describe(operation.opcode()),
                  version,
                  operation.versionMin()));
    }
    boolean isUnknownHere = !writer.takesSessions() && operation.is(Operation.REPEATED);
    if (isUnknownHere && !operation.isRepeatable()) {
      return new TransportException(
          "connection lost; the next server can't tell whether the operation was done: server=%s,"
                  .formatted(address())
              + " operation=%s; it may have been done"
                  .formatted(Opcodes.describe(operation.opcode())),
          null);
    }
    boolean isSilent = (operation.format().flags() & RequestFlags.SKIP_LISTENER_NOTIFICATION) != 0;
    if (isSilent && version < Versions.V30) {
      return new HotRodClientException(
          "server too old: server=%s, flag=%s, version=%d; %d is needed"
              .formatted(address(), Flag.SKIP_LISTENER_NOTIFICATION, version, Versions.V30));
    }
    return null;
  }

  /** Decodes the bytes that have arrived. */
  private void decode() {
    readNanos = Nanos.now();
    if (failure != null || !reader.begin(version)) {
      return;
    }
    try {
      while (reader.hasMore()) {
        read();
        reader.commit();
      }
    } catch (IncompleteResponse incomplete) {
      // continues from the last commit when more bytes have arrived
    }
    link.router().budget().answered(answered);
    answered = 0;
    link.answered(this);
    if (isEnding && pending.isEmpty()) {
      close();
    }
  }

  private TransportException lost() {
    return new TransportException("connection lost: server=" + address(), null);
  }

  private void read() {
    Operation<?> operation = current;
    if (operation == null) {
      operation = readHeader();
      if (operation == null) {
        return;
      }
      current = operation;
      reader.commit();
    }
    if (Statuses.isError(currentStatus)) {
      String message = reader.string();
      settle(operation);
      answerError(operation, new ServerErrorException(currentStatus, message));
    } else {
      answer(operation);
    }
  }

  private <T extends @Nullable Object> void answer(Operation<T> operation) {
    T result = operation.decode(reader, currentStatus);
    MarshallingException cause = reader.takeFailure();
    boolean isUndecoded = reader.takeUndecoded();
    CacheCounts counts = operation.format().cache().counts();
    if (counts != null) {
      long sentNanos = operation.deadlineNanos - link.router().operationTimeoutNanos();
      operation.count(counts, currentStatus, readNanos - sentNanos);
    }
    settle(operation);
    link.permits().release(operation.permitBytes);
    if (cause != null) {
      loop.fail(operation, cause);
    } else {
      if (isUndecoded) {
        operation.mark(Operation.UNDECODED);
      }
      loop.succeed(operation, result);
    }
  }

  private void settle(Operation<?> operation) {
    current = null;
    answered++;
    pending.remove(operation);
    loop.settled(operation);
  }

  private void answerError(Operation<?> operation, ServerErrorException error) {
    boolean isKnownThere = writer.takesSessions() && operation.number() != 0;
    boolean isUnclear = isKnownThere && error.status() == Statuses.TIMEOUT;
    if (error.isWorthRetry() || isUnclear) {
      if (isKnownThere && !isUnclear) {
        operation.notDone();
      }
      link.router().failOver(operation, link, error);
    } else {
      link.permits().release(operation.permitBytes);
      loop.fail(operation, error);
    }
  }

  /** Reads the header of a response, or a whole event, which makes it null. */
  private @Nullable Operation<?> readHeader() {
    int magic = reader.u8();
    if (magic != HotRod.RESPONSE_MAGIC) {
      throw new InvalidResponseException("magic=0x%02X".formatted(magic));
    }
    long id = reader.vLong();
    int opcode = reader.u8();
    currentStatus = status(reader.u8());
    boolean hasTopology = reader.u8() != 0;
    if (opcode == Opcodes.EVENT_COUNTER) {
      link.router().counterEvents().read(reader);
      return null;
    }
    Operation<?> operation = pending.find(id);
    if (opcode >= Opcodes.EVENT_CREATED && opcode <= Opcodes.EVENT_EXPIRED) {
      Operation<?> adding =
          operation != null && operation.opcode() == Opcodes.ADD_CLIENT_LISTENER ? operation : null;
      events.read(reader, opcode, adding != null);
      if (adding != null) {
        adding.deadlineNanos = readNanos + link.router().operationTimeoutNanos(); // it goes on
      }
      return null;
    }
    if (operation == null) {
      throw new InvalidResponseException(
          "no such request: id=%d, operation=0x%02X, status=0x%02X"
              .formatted(id, opcode, currentStatus));
    }
    wasAnswered = true;
    boolean isError = Statuses.isError(currentStatus);
    if (!isError && opcode != Opcodes.responseTo(operation.opcode())) {
      throw new InvalidResponseException(
          "operation=0x%02X, request=%s".formatted(opcode, Opcodes.describe(operation.opcode())));
    }
    if (hasTopology) {
      TopologyUpdate update = TopologyUpdate.read(reader, operation.format().intelligence());
      link.router().learned(link, operation.format().cache(), update);
    }
    return operation;
  }

  /** The status without the hint that the server keeps objects, which old servers give. */
  private int status(int told) {
    if (version >= Versions.V29) {
      return told;
    }
    return switch (told) {
      case Statuses.OK_OBJECTS -> Statuses.OK;
      case Statuses.OK_WITH_PREVIOUS_OBJECTS -> Statuses.OK_WITH_PREVIOUS;
      case Statuses.NOT_EXECUTED_WITH_PREVIOUS_OBJECTS -> Statuses.NOT_EXECUTED_WITH_PREVIOUS;
      default -> told;
    };
  }

  /** Takes all unanswered operations out, as a list. */
  @Override
  public @Nullable Operation<?> drain() {
    current = null;
    Operation<?> all = pending.drain();
    for (Operation<?> each = all; each != null; each = each.next) {
      loop.settled(each);
    }
    return all;
  }

  /** Looks after deadlines and silence. */
  @Override
  public void tick(long nowNanos) {
    pending.expire(nowNanos, loop);
    if (isClosed) {
      return;
    }
    if (!isReady) {
      checkProgress(nowNanos);
      return;
    }
    if (isExpecting && pending.isEmpty() && !isListenedTo()) {
      expect(false);
    }
    if (!pending.isEmpty() && nowNanos - Math.max(readNanos, owedNanos) > SILENCE_MAX_NANOS) {
      fail(new TransportException("server is silent: " + address(), null));
    } else if (pending.isEmpty() && nowNanos - writtenNanos > KEEP_ALIVE_NANOS) {
      writtenNanos = nowNanos;
      send(new PingOperation(link.router().handshakeFormat()));
    }
  }

  private void checkProgress(long nowNanos) {
    Wire open = wire;
    long connectNanos =
        TimeUnit.MILLISECONDS.toNanos(link.router().config().connectTimeoutMillis());
    if (nowNanos - writtenNanos > link.router().operationTimeoutNanos()) {
      wasTooSlow = true;
      fail(new TransportException("handshake took too long: " + address(), null));
    } else if (open != null && !open.isOpen() && nowNanos - openedNanos > connectNanos) {
      fail(
          new TransportException(
              (isConnected ? "TLS took" : "no connection: it took")
                  + " too long: server=%s, timeout=%d ms"
                      .formatted(address(), link.router().config().connectTimeoutMillis()),
              null));
    }
  }

  /** Closes when all is answered, or at once. */
  @Override
  public void end(boolean atOnce) {
    isEnding = true;
    events.lost(this);
    if (atOnce || pending.isEmpty()) {
      close();
    }
  }

  /** Ends the connection. */
  void fail(HotRodClientException cause) {
    if (failure == null) {
      failure = cause;
    }
    close();
  }

  /** Closes the socket; all others are notified when the current work is done. */
  private void close() {
    Wire open = wire;
    if (!isClosed) {
      isClosed = true;
      if (open != null) {
        open.close();
      }
      expect(false);
      loop.execute(this::closed);
    }
  }

  /** Closes it because the client is closed. */
  void closeNow() {
    close();
  }

  private void closed() {
    HotRodClientException cause = failure;
    link.lost(
        this, cause != null ? cause : new TransportException("server closed: " + address(), null));
    link.router().counterEvents().lost(this);
    events.lost(this);
  }
}

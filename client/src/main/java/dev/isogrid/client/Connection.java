package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.RequestFlags;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection: writes requests in batches, and matches answers by their message ids. Belongs to
 * its event loop.
 */
final class Connection extends ByteToMessageDecoder {
  /** Enough for a batch of small requests; larger ones are written in several buffers. */
  private static final int BATCH_BYTES = 128 << 10;

  private static final int HEADER_BYTES = 64;
  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long SILENCE_MAX_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ServerLink link;
  private final PendingRing pending;
  private final RequestWriter writer = new RequestWriter();
  private final ResponseReader reader = new ResponseReader(this);
  private final EventSinks events = new EventSinks();
  private @Nullable ChannelHandlerContext context;
  private int version = Versions.V31;
  private boolean isReady;
  private boolean isEnding;
  private boolean wasAnswered;
  private boolean wasTooSlow;
  private long writtenNanos = Nanos.now();
  private long readNanos = writtenNanos;
  private @Nullable HotRodClientException failure;

  /** The operation whose answer is being read, if its header has been. */
  private @Nullable Operation<?> current;

  private int currentStatus;
  private int answered;

  Connection(ServerLink link) {
    this.link = link;
    this.pending = new PendingRing(link.unansweredMax());
  }

  ServerAddress address() {
    return link.address();
  }

  ServerLink link() {
    return link;
  }

  /** Where events that come in go; for the event loop. */
  EventSinks events() {
    return events;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (ctx.pipeline().get(SslHandler.class) == null) {
      new Handshake(this).goOn();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        new Handshake(this).goOn();
      } else {
        fail(new TransportException("TLS refused: " + address(), handshake.cause()));
      }
    }
  }

  /** The version of the protocol that is spoken. */
  int version() {
    return version;
  }

  /** Speaks a version from now on; for the handshake. */
  void version(int spoken) {
    version = spoken;
  }

  /** The handshake is done: requests may be sent. */
  void ready() {
    isReady = true;
    link.ready(this);
  }

  /** Whether requests may be sent. */
  boolean isReady() {
    return isReady;
  }

  /** The requests that are not answered. */
  int unanswered() {
    return pending.count();
  }

  /** Whether the server ended it instead of answering the first request. */
  boolean wasRefused() {
    return !isReady && !wasAnswered && !wasTooSlow && !pending.isEmpty();
  }

  /** Whether the server keeps something for the client that is bound to this connection. */
  boolean isListenedTo() {
    return !events.isEmpty() || link.router().counterEvents().uses(this);
  }

  /** Sends a request of the client itself at once. */
  void send(Operation<?> operation) {
    ChannelHandlerContext ctx = Objects.requireNonNull(context);
    operation.deadlineNanos = Nanos.now() + link.router().operationTimeoutNanos();
    operation.attempts = Operation.LAST_TRY; // no other server could answer it
    link.permits().force(operation.permitBytes);
    ByteBuf out = ctx.alloc().ioBuffer(HEADER_BYTES + operation.size());
    encode(operation, out);
    ctx.writeAndFlush(out);
  }

  /** Sends what waits, as far as the socket and the ring have room. */
  void write() {
    ChannelHandlerContext ctx = context;
    if (ctx == null || !isReady) {
      return;
    }
    boolean written = false;
    while (link.firstFor(this) != null && ctx.channel().isWritable() && !pending.isFull()) {
      ByteBuf out = ctx.alloc().ioBuffer(BATCH_BYTES >> 4);
      Operation<?> operation = link.firstFor(this);
      while (operation != null && out.readableBytes() < BATCH_BYTES && !pending.isFull()) {
        link.removeFirst(operation);
        encode(operation, out);
        operation = link.firstFor(this);
      }
      ctx.write(out);
      written = true;
    }
    if (written) {
      writtenNanos = Nanos.now();
      ctx.flush();
    }
  }

  private void encode(Operation<?> operation, ByteBuf out) {
    Connection only = operation.pinned();
    if (only != null && only != this) {
      link.router().failOver(operation, link, lost());
      return;
    }
    if (!operation.beginEncoding()) {
      link.permits().release(operation.permitBytes);
      return;
    }
    HotRodClientException refusal = refusal(operation);
    if (refusal != null) {
      operation.endEncoding();
      link.permits().release(operation.permitBytes);
      operation.fail(refusal);
      return;
    }
    int start = out.writerIndex();
    pending.add(operation);
    operation.sending(this);
    try {
      out.ensureWritable(HEADER_BYTES + operation.size());
      writer.begin(out, version);
      operation.format().write(writer, operation);
      operation.encode(writer);
      int size = out.writerIndex() - start;
      if (size > link.router().config().requestBytesMax()) {
        throw operation.tooLarge(size, link.router().config().requestBytesMax());
      }
    } catch (RuntimeException cause) {
      out.writerIndex(start);
      pending.remove(operation);
      link.permits().release(operation.permitBytes);
      operation.fail(
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
    boolean isSilent = (operation.format().flags() & RequestFlags.SKIP_LISTENER_NOTIFICATION) != 0;
    if (isSilent && version < Versions.V30) {
      return new HotRodClientException(
          "server too old: server=%s, flag=%s, version=%d; %d is needed"
              .formatted(address(), Flag.SKIP_LISTENER_NOTIFICATION, version, Versions.V30));
    }
    return null;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    write();
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (failure != null) {
      in.skipBytes(in.readableBytes());
      return;
    }
    readNanos = Nanos.now();
    reader.begin(in, version);
    try {
      while (reader.hasMore()) {
        read();
        reader.commit();
      }
    } catch (IncompleteResponse incomplete) {
      reader.rewind();
    }
    link.router().budget().answered(answered);
    answered = 0;
    link.answered(this);
    if (isEnding && pending.isEmpty()) {
      ctx.close();
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
      operation.fail(cause);
    } else if (isUndecoded) {
      link.router().schemaWaits().execute(() -> resolve(operation, result), operation);
    } else {
      operation.succeed(result);
    }
  }

  /** Reads the objects of classes that are new, by a thread that may wait for their schemas. */
  private static <T extends @Nullable Object> void resolve(Operation<T> operation, T result) {
    T resolved;
    try {
      resolved = operation.resolved(result);
    } catch (RuntimeException cause) {
      operation.fail(cause);
      return;
    }
    operation.succeed(resolved);
  }

  private void settle(Operation<?> operation) {
    current = null;
    answered++;
    pending.remove(operation);
  }

  private void answerError(Operation<?> operation, ServerErrorException error) {
    if (error.isWorthRetry()) {
      link.router().failOver(operation, link, error);
    } else {
      link.permits().release(operation.permitBytes);
      operation.fail(error);
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

  /** What a status says without the hint that the server keeps objects, which old ones give. */
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
  @Nullable Operation<?> drain() {
    current = null;
    return pending.drain();
  }

  /** Looks after deadlines and silence. */
  void tick(long nowNanos) {
    pending.expire(nowNanos);
    if (context == null) {
      return;
    }
    if (!isReady) {
      if (nowNanos - writtenNanos > link.router().operationTimeoutNanos()) {
        wasTooSlow = true;
        fail(new TransportException("handshake took too long: " + address(), null));
      }
      return;
    }
    if (!pending.isEmpty() && nowNanos - Math.max(readNanos, writtenNanos) > SILENCE_MAX_NANOS) {
      fail(new TransportException("server is silent: " + address(), null));
    } else if (pending.isEmpty() && nowNanos - writtenNanos > KEEP_ALIVE_NANOS) {
      writtenNanos = nowNanos;
      send(new PingOperation(link.router().handshakeFormat()));
    }
  }

  /** Closes when all is answered, or at once. */
  void end(boolean atOnce) {
    isEnding = true;
    events.lost(this);
    ChannelHandlerContext ctx = context;
    if (ctx != null && (atOnce || pending.isEmpty())) {
      ctx.close();
    }
  }

  /** Ends the connection. */
  void fail(HotRodClientException cause) {
    if (failure == null) {
      failure = cause;
    }
    Objects.requireNonNull(context).close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    fail(new TransportException("connection broken: " + address(), cause));
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    HotRodClientException cause = failure;
    link.lost(
        this, cause != null ? cause : new TransportException("server closed: " + address(), null));
    link.router().counterEvents().lost(this);
    events.lost(this);
  }
}

package dev.isogrid.engine;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MembershipCodec;
import dev.isogrid.cluster.MembershipMessage;
import dev.isogrid.cluster.Message;
import dev.isogrid.cluster.MessageCodec;
import dev.isogrid.cluster.MessageHeader;
import dev.isogrid.cluster.MessageLayout;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.engine.SegmentMessage.Append;
import dev.isogrid.engine.SegmentMessage.Appended;
import dev.isogrid.engine.SegmentMessage.BaseAsked;
import dev.isogrid.engine.SegmentMessage.BaseTold;
import dev.isogrid.engine.SegmentMessage.Chunk;
import dev.isogrid.engine.SegmentMessage.ChunkStored;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.engine.SegmentMessage.Sync;
import dev.isogrid.engine.SegmentMessage.Synced;
import dev.isogrid.topology.ProtocolVersions;
import java.util.List;

/**
 * Encodes all messages of a {@link ClusterNode} whose keys and values are {@link
 * dev.isogrid.codec.ByteString}s and whose answers are null, Boolean, Long or ByteString.
 * Thread-safe.
 */
public final class SegmentCodec implements MessageCodec {
  private static final List<Status> STATUSES = List.of(Status.values());

  /** An answer with more waits for its turn among other streams. */
  private static final int URGENT_BYTES_MAX = 64 << 10;

  private final MembershipCodec membership;
  private final CommandCodec commands;

  /** Encodes operations by means of a codec for their commands. */
  public SegmentCodec(CommandCodec commands) {
    this(commands, ProtocolVersions.OF_BUILD);
  }

  /** The same of some versions of the protocol. */
  public SegmentCodec(CommandCodec commands, ProtocolVersions speaks) {
    this.commands = commands;
    this.membership = new MembershipCodec(speaks);
  }

  @Override
  public ProtocolVersions speaks() {
    return membership.speaks();
  }

  @Override
  public void write(int version) {
    membership.write(version);
  }

  @Override
  public void encode(Message message, MessageWriter out) {
    out.version(membership.written());
    switch (message) {
      case MembershipMessage known -> membership.encode(known, out);
      case SegmentMessage known -> {
        new MessageHeader(type(known), known.epoch(), known.segment(), known.segEpoch()).write(out);
        writeBody(known, out);
      }
      case TracedOperation known -> encodeTraced(known, out);
      case SessionDone known -> {
        new MessageHeader(SegmentLayout.SESSION_DONE, known.epoch(), 0, 0).write(out);
        SegmentLayout.writeOperationId(known.last(), out);
      }
      case FeedMessage known -> FeedLayout.encode(known, out);
      case CallMessage known -> CallLayout.encode(known, out);
      default -> throw new IllegalArgumentException("no message of a node: " + message.getClass());
    }
  }

  private void encodeTraced(TracedOperation traced, MessageWriter out) {
    Operation operation = traced.operation();
    boolean isKnown = out.version() >= SegmentLayout.TRACED_SINCE;
    int type = isKnown ? SegmentLayout.TRACED : SegmentLayout.OPERATION;
    new MessageHeader(type, operation.epoch(), operation.segment(), operation.segEpoch())
        .write(out);
    if (isKnown) {
      out.putText(traced.trace().parent());
      out.putText(traced.trace().state());
    }
    writeBody(operation, out);
  }

  /** Answers that carry much are streams too: heartbeats and grants must not wait behind them. */
  @Override
  public boolean isStream(Message message) {
    return switch (message) {
      case SegmentMessage known ->
          switch (known) {
            case Operation _, Append _, Sync _, Chunk _ -> true;
            case Reply _, ChunkStored _ -> sizeBytes(known) > URGENT_BYTES_MAX;
            case Appended _, Synced _, BaseAsked _, BaseTold _ -> false;
          };
      case TracedOperation _, FeedMessage.Changes _, CallMessage.Request _, CallMessage.Answer _ ->
          true;
      default -> false;
    };
  }

  @Override
  public int sizeBytes(Message message) {
    long bytes =
        switch (message) {
          case Operation operation -> operation.command().sizeBytes();
          case TracedOperation traced -> traced.operation().command().sizeBytes();
          case Reply reply -> Sized.of(reply.result());
          case Append append -> sizeOf(append.entries());
          case Sync sync -> sizeOf(sync.tail());
          case Chunk chunk -> chunk.sizeBytes();
          case ChunkStored stored -> sizeOfPrints(stored.differing());
          case FeedMessage.Changes changes -> changes.sizeBytes();
          case CallMessage.Request request -> request.body().length();
          case CallMessage.Answer answer -> answer.body().length();
          default -> 0;
        };
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  private static long sizeOf(List<LogEntry> entries) {
    long bytes = 0;
    for (LogEntry entry : entries) {
      bytes += entry.sizeBytes();
    }
    return bytes;
  }

  private static long sizeOfPrints(List<EntryPrints> prints) {
    long bytes = 0;
    for (EntryPrints each : prints) {
      bytes += each.sizeBytes();
    }
    return bytes;
  }

  private static int type(SegmentMessage message) {
    return switch (message) {
      case Operation _ -> SegmentLayout.OPERATION;
      case Reply _ -> SegmentLayout.REPLY;
      case Append _ -> SegmentLayout.APPEND;
      case Appended _ -> SegmentLayout.APPENDED;
      case Sync _ -> SegmentLayout.SYNC;
      case Synced _ -> SegmentLayout.SYNCED;
      case BaseAsked _ -> SegmentLayout.BASE_ASKED;
      case BaseTold _ -> SegmentLayout.BASE_TOLD;
      case Chunk _ -> SegmentLayout.CHUNK;
      case ChunkStored _ -> SegmentLayout.CHUNK_STORED;
    };
  }

  private void writeBody(SegmentMessage message, MessageWriter out) {
    switch (message) {
      case Operation operation -> {
        SegmentLayout.writeOperationId(operation.id(), out);
        out.putLong(operation.ackedUpTo());
        out.putInt(operation.attempt());
        out.putBoolean(operation.ageMillis() != ClientOperation.FIRST);
        if (operation.ageMillis() != ClientOperation.FIRST) {
          out.putLong(operation.ageMillis());
        }
        out.putByte(commands.opcode(operation.command()));
        commands.write(operation.command(), out);
      }
      case Reply reply -> {
        SegmentLayout.writeOperationId(reply.id(), out);
        out.putInt(reply.attempt());
        out.putByte(STATUSES.indexOf(reply.status()));
        out.putBoolean(reply.isRecorded());
        commands.writeAnswer(reply.result(), out);
      }
      case Append append -> {
        out.putLong(append.commitSeq());
        SegmentLayout.writeLog(append.entries(), commands, out);
      }
      case Appended appended -> {
        out.putLong(appended.startSeq());
        out.putLong(appended.lastSeq());
        out.putLong(appended.commitSeq());
        out.putBoolean(appended.isFull());
        out.putBoolean(appended.isDiskBehind());
      }
      case Sync sync -> {
        out.putLong(sync.commitSeq());
        out.putLong(sync.lastSeq());
        SegmentLayout.writeLog(sync.tail(), commands, out);
      }
      case Synced _ -> {
        // The header says it all.
      }
      case BaseAsked asked -> out.putInt(asked.number());
      case BaseTold told -> {
        out.putInt(told.number());
        DeltaLayout.writePlaces(told.places(), out);
      }
      case Chunk chunk -> writeChunk(chunk, out);
      case ChunkStored stored -> {
        out.putInt(stored.number());
        out.putLong(stored.startSeq());
        DeltaLayout.writePrints(stored.differing(), out);
      }
    }
  }

  private void writeChunk(Chunk chunk, MessageWriter out) {
    DedupTable records = chunk.records();
    out.putInt(chunk.number());
    out.putLong(chunk.startSeq());
    out.putBoolean(chunk.isLast());
    out.putBoolean(records != null);
    if (records != null) {
      SegmentLayout.writeRecords(records, commands, out);
    }
    DeltaLayout.write(chunk.delta(), out);
    SegmentLayout.writeCopied(chunk.entries(), commands, out);
    SegmentLayout.writeBlocks(chunk.blocks(), out);
  }

  /** Blocks of copied entries, and answers, are parts of the array. */
  @Override
  public boolean keepsArray(int type) {
    return type == SegmentLayout.CHUNK || type == SegmentLayout.CALLED;
  }

  @Override
  public Message decode(byte[] array, int offset, int length) throws MalformedMessageException {
    if (MessageLayout.type(array, offset, length) < MessageLayout.FIRST_SEGMENT_TYPE) {
      return membership.decode(array, offset, length);
    }
    MessageReader in = new MessageReader(array, offset, length);
    try {
      Message message = read(MessageHeader.read(in, membership.speaks()), in);
      in.end();
      return message;
    } catch (IllegalArgumentException invalid) {
      // Of the constructors, which check what the parts of a message have to do with each other.
      throw new MalformedMessageException("malformed message: " + invalid.getMessage());
    }
  }

  private Message read(MessageHeader header, MessageReader in) throws MalformedMessageException {
    int epoch = header.epoch();
    int segment = header.segment();
    int segEpoch = header.segEpoch();
    return switch (header.type()) {
      case SegmentLayout.OPERATION -> operation(header, in);
      case SegmentLayout.TRACED -> traced(header, in);
      case SegmentLayout.REPLY -> reply(header, in);
      case SegmentLayout.APPEND -> {
        long commitSeq = in.count64("commitSeq");
        yield new Append(epoch, segment, segEpoch, SegmentLayout.readLog(commands, in), commitSeq);
      }
      case SegmentLayout.APPENDED -> {
        long startSeq = in.int64("startSeq");
        long lastSeq = in.count64("lastSeq");
        long commitSeq = in.count64("commitSeq");
        boolean isFull = in.bool("full");
        boolean isBehind = in.bool("diskBehind");
        yield new Appended(
            epoch, segment, segEpoch, startSeq, lastSeq, commitSeq, isFull, isBehind);
      }
      case SegmentLayout.SYNC -> {
        long commitSeq = in.count64("commitSeq");
        long lastSeq = in.count64("lastSeq");
        yield new Sync(
            epoch, segment, segEpoch, commitSeq, lastSeq, SegmentLayout.readLog(commands, in));
      }
      case SegmentLayout.SYNCED -> new Synced(epoch, segment, segEpoch);
      case SegmentLayout.CHUNK -> chunk(header, in);
      case SegmentLayout.CHUNK_STORED -> {
        int number = in.count32("number", Integer.MAX_VALUE);
        long startSeq = in.count64("startSeq");
        yield new ChunkStored(
            epoch, segment, segEpoch, number, startSeq, DeltaLayout.readPrints(in));
      }
      case SegmentLayout.BASE_ASKED ->
          new BaseAsked(epoch, segment, segEpoch, in.count32("number", Integer.MAX_VALUE));
      case SegmentLayout.BASE_TOLD -> {
        int number = in.count32("number", Integer.MAX_VALUE);
        yield new BaseTold(epoch, segment, segEpoch, number, DeltaLayout.readPlaces(in));
      }
      case SegmentLayout.FOLLOW -> FeedLayout.readFollow(epoch, in);
      case SegmentLayout.CHANGES -> FeedLayout.readChanges(epoch, in);
      case SegmentLayout.CALL -> CallLayout.readRequest(epoch, in);
      case SegmentLayout.CALL_TRACED -> CallLayout.readTraced(epoch, in);
      case SegmentLayout.CALLED -> CallLayout.readAnswer(epoch, in);
      case SegmentLayout.CALL_CANCELLED -> CallLayout.readCancel(epoch, in);
      case SegmentLayout.SESSION_DONE -> new SessionDone(epoch, SegmentLayout.readOperationId(in));
      default -> throw in.malformed("type", header.type(), "unknown");
    };
  }

  private Operation operation(MessageHeader header, MessageReader in)
      throws MalformedMessageException {
    OperationId id = SegmentLayout.readOperationId(in);
    long ackedUpTo = in.count64("ackedUpTo");
    int attempt = in.count32("attempt", Integer.MAX_VALUE);
    long ageMillis = in.bool("repeated") ? in.count64("ageMillis") : ClientOperation.FIRST;
    Command command = commands.read(in.unsignedByte("opcode"), in);
    return new Operation(
        header.epoch(),
        header.segment(),
        header.segEpoch(),
        id,
        ackedUpTo,
        attempt,
        ageMillis,
        command);
  }

  private TracedOperation traced(MessageHeader header, MessageReader in)
      throws MalformedMessageException {
    if (in.version() < SegmentLayout.TRACED_SINCE) {
      throw in.malformed("type", header.type(), "unknown in version " + in.version());
    }
    CallTrace trace = new CallTrace(in.text("traceparent"), in.text("tracestate"));
    return new TracedOperation(trace, operation(header, in));
  }

  private Reply reply(MessageHeader header, MessageReader in) throws MalformedMessageException {
    OperationId id = SegmentLayout.readOperationId(in);
    int attempt = in.count32("attempt", Integer.MAX_VALUE);
    int status = in.unsignedByte("status");
    if (status >= STATUSES.size()) {
      throw in.malformed("status", status, "unknown");
    }
    boolean isRecorded = in.bool("recorded");
    Object answer = commands.readAnswer(in);
    return new Reply(
        header.epoch(),
        header.segment(),
        header.segEpoch(),
        id,
        attempt,
        STATUSES.get(status),
        isRecorded,
        answer);
  }

  private Chunk chunk(MessageHeader header, MessageReader in) throws MalformedMessageException {
    int number = in.count32("number", Integer.MAX_VALUE);
    long startSeq = in.count64("startSeq");
    boolean isLast = in.bool("last");
    DedupTable records = in.bool("records") ? SegmentLayout.readRecords(commands, in) : null;
    CopyDelta delta = DeltaLayout.read(in);
    return new Chunk(
        header.epoch(),
        header.segment(),
        header.segEpoch(),
        number,
        startSeq,
        records,
        SegmentLayout.readCopied(commands, in),
        SegmentLayout.readBlocks(in),
        delta,
        isLast);
  }
}

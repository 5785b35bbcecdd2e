package dev.isogrid.engine;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageLayout;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.engine.DedupTable.Done;
import dev.isogrid.engine.DedupTable.Records;
import dev.isogrid.engine.SegmentMessage.CopiedEntry;
import dev.isogrid.store.PackedEntries;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the messages of segments are laid out in bytes, and their parts. */
final class SegmentLayout {
  /*
   * Header, byte order, version and the parts that are not named here are those of MessageLayout.
   *
   *    type                body
   *    32 operation        operation, ackedUpTo 8, attempt 4, repeated bool, age 8 in ms if true,
   *                        opcode 1, the command's own layout
   *    33 reply            operation, attempt 4, status 1 (place in the enum), recorded 1, answer
   *    34 append           commitSeq 8, log entries
   *    35 appended         startSeq 8 (-1: no copy), lastSeq 8, commitSeq 8, full bool,
   *                            diskBehind bool
   *    36 sync             commitSeq 8, lastSeq 8, log entries
   *    37 synced           nothing
   *    38 chunk            number 4, startSeq 8, last bool, records bool, sessions if true,
   *                        delta, count 4, each: key, copied, seq 8; count 4, each: block
   *    39 chunk stored     number 4, startSeq 8, prints
   *    40 follow           cache 4, values bool, fence 8, count 4, each: index 4, seq 8 (-1: now)
   *    41 changes          cache 4, fence 8, count 4, each: index 4, status 1 (place in the enum),
   *                        since 8, upTo 8, position 8, count 4, each: kind 1 (place in the enum),
   *                        key bytes, values bool, if true: value bool, bytes if true, before
   *                        bool, bytes if true; seq 8
   *    42 call             call 8, service 1, body bytes
   *    43 called           call 8, failed bool, body bytes
   *    44 call cancelled   call 8
   *    45 session done     operation
   *    46 base asked       number 4
   *    47 base told        number 4, places
   *    48 traced           since version 13: traceparent text, tracestate text, then the body of
   *                        an operation
   *    49 call traced      since version 14: call 8, traceparent text, tracestate text, service 1,
   *                        body bytes
   *
   *    part                layout
   *    operation           session, number 8
   *    session             node 16, joinedEpoch 4 (0: a client's session of 128 bits)
   *    key, value, copied, answer  the layout of CommandCodec
   *    block               cache 4, count 4, bytes as PackedEntries has them
   *    delta, places,
   *    prints              see DeltaLayout
   *    log entries         count 4, each: seq 8, kind 1 (0 records only, 1 removes, 2 stores, 3
   *                        stores many), key, value if it stores, values if it stores many (count
   *                        4, each: key, value), operation, ackedUpTo 8, answer
   *    sessions            uncertain 8 in ms ago, count 4, each: session, doneUpTo 8, count 4,
   *                        each: number 8 (rising), seq 8, answer
   *
   * A log entry that only records has no value.
   */

  static final int OPERATION = MessageLayout.FIRST_SEGMENT_TYPE;
  static final int REPLY = OPERATION + 1;
  static final int APPEND = OPERATION + 2;
  static final int APPENDED = OPERATION + 3;
  static final int SYNC = OPERATION + 4;
  static final int SYNCED = OPERATION + 5;
  static final int CHUNK = OPERATION + 6;
  static final int CHUNK_STORED = OPERATION + 7;
  static final int FOLLOW = OPERATION + 8;
  static final int CHANGES = OPERATION + 9;
  static final int CALL = OPERATION + 10;
  static final int CALLED = OPERATION + 11;
  static final int CALL_CANCELLED = OPERATION + 12;
  static final int SESSION_DONE = OPERATION + 13;
  static final int BASE_ASKED = OPERATION + 14;
  static final int BASE_TOLD = OPERATION + 15;
  static final int TRACED = OPERATION + 16;
  static final int CALL_TRACED = OPERATION + 17;

  /** The first version of the protocol that has traced operations. */
  static final int TRACED_SINCE = 13;

  /** The first version of the protocol that has traced calls. */
  static final int CALLS_TRACED_SINCE = 14;

  private static final int RECORDS = 0;
  private static final int REMOVES = 1;
  private static final int STORES = 2;
  private static final int STORES_MANY = 3;

  private static final int LOG_ENTRY_BYTES_MIN = 8 + 1 + 1 + 28 + 8 + 1;
  private static final int VALUE_BYTES_MIN = 1 + 1;
  private static final int COPIED_ENTRY_BYTES_MIN = 1 + 1 + 8;
  private static final int SESSION_BYTES_MIN = 32;
  private static final int DONE_BYTES_MIN = 17;

  private SegmentLayout() {}

  static void writeOperationId(OperationId id, MessageWriter out) {
    writeSession(id.session(), out);
    out.putLong(id.number());
  }

  static OperationId readOperationId(MessageReader in) throws MalformedMessageException {
    SessionId session = readSession(in);
    return new OperationId(session, in.count64("number"));
  }

  private static void writeSession(SessionId session, MessageWriter out) {
    out.putNode(session.node());
    out.putInt(session.joinedEpoch());
  }

  private static SessionId readSession(MessageReader in) throws MalformedMessageException {
    var node = in.node("session");
    return new SessionId(node, in.count32("joinedEpoch", Integer.MAX_VALUE));
  }

  static void writeLog(List<LogEntry> entries, CommandCodec parts, MessageWriter out) {
    out.putInt(entries.size());
    for (LogEntry entry : entries) {
      Object value = entry.value();
      out.putLong(entry.seq());
      int kind = kind(entry);
      out.putByte(kind);
      parts.writeKey(entry.key(), out);
      if (kind >= STORES && value instanceof ManyValues many) {
        writeMany(many, parts, out);
      } else if (kind >= STORES && value != null) {
        parts.writeValue(value, out);
      }
      writeOperationId(entry.id(), out);
      out.putLong(entry.ackedUpTo());
      parts.writeAnswer(entry.result(), out);
    }
  }

  private static int kind(LogEntry entry) {
    if (!entry.changes()) {
      return RECORDS;
    }
    return switch (entry.value()) {
      case null -> REMOVES;
      case ManyValues _ -> STORES_MANY;
      default -> STORES;
    };
  }

  private static void writeMany(ManyValues many, CommandCodec parts, MessageWriter out) {
    out.putInt(many.byKey().size());
    many.byKey()
        .forEach((key, value) -> {
          parts.writeKey(key, out);
          parts.writeValue(value, out);
        });
  }

  /** An empty one is refused by what it makes. */
  private static ManyValues readMany(CommandCodec parts, MessageReader in)
      throws MalformedMessageException {
    int count = in.countOf("values", VALUE_BYTES_MIN);
    Map<Object, Object> byKey = LinkedHashMap.newLinkedHashMap(count);
    for (int i = 0; i < count; i++) {
      Object key = parts.readKey(in);
      byKey.put(key, parts.readValue(in));
    }
    return new ManyValues(byKey);
  }

  static List<LogEntry> readLog(CommandCodec parts, MessageReader in)
      throws MalformedMessageException {
    int count = in.countOf("entries", LOG_ENTRY_BYTES_MIN);
    List<LogEntry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long seq = in.count64("seq");
      int kind = in.unsignedByte("kind");
      if (kind > STORES_MANY) {
        throw in.malformed("kind", kind, "unknown");
      }
      Object key = parts.readKey(in);
      Object value =
          switch (kind) {
            case STORES -> parts.readValue(in);
            case STORES_MANY -> readMany(parts, in);
            default -> null;
          };
      OperationId id = readOperationId(in);
      long ackedUpTo = in.count64("ackedUpTo");
      boolean changes = kind != RECORDS;
      Object answer = parts.readAnswer(in);
      entries.add(new LogEntry(seq, key, changes, value, id, ackedUpTo, answer));
    }
    return entries;
  }

  static void writeCopied(List<CopiedEntry> entries, CommandCodec parts, MessageWriter out) {
    out.putInt(entries.size());
    for (CopiedEntry entry : entries) {
      parts.writeKey(entry.key(), out);
      parts.writeCopied(entry.value(), out);
      out.putLong(entry.seq());
    }
  }

  static List<CopiedEntry> readCopied(CommandCodec parts, MessageReader in)
      throws MalformedMessageException {
    int count = in.countOf("entries", COPIED_ENTRY_BYTES_MIN);
    List<CopiedEntry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Object key = parts.readKey(in);
      Object value = parts.readCopied(in);
      entries.add(new CopiedEntry(key, value, in.count64("seq")));
    }
    return entries;
  }

  static void writeBlocks(List<CopiedBlock> blocks, MessageWriter out) {
    out.putInt(blocks.size());
    for (int i = 0; i < blocks.size(); i++) {
      CopiedBlock block = blocks.get(i);
      out.putInt(block.cacheId());
      out.putInt(block.count());
      boolean isLast = i == blocks.size() - 1;
      out.putBytes(block.array(), block.from(), block.sizeBytes(), isLast);
    }
  }

  static List<CopiedBlock> readBlocks(MessageReader in) throws MalformedMessageException {
    int count = in.countOf("blocks", CopiedBlock.OVERHEAD_BYTES);
    List<CopiedBlock> blocks = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int cacheId = in.count32("cache", Integer.MAX_VALUE);
      int entries = in.count32("entries", Integer.MAX_VALUE);
      ByteBuffer bytes = in.borrowedBytes("block");
      byte[] array = bytes.array();
      int from = bytes.arrayOffset();
      if (!PackedEntries.areValid(array, from, bytes.remaining(), entries)) {
        throw in.malformed("block", entries, "expected so many whole entries");
      }
      blocks.add(new CopiedBlock(cacheId, array, from, bytes.remaining(), entries));
    }
    return blocks;
  }

  static void writeRecords(DedupTable table, CommandCodec parts, MessageWriter out) {
    List<Records> sessions = table.records();
    out.putLong(table.uncertainMillisAgo());
    out.putInt(sessions.size());
    for (Records session : sessions) {
      writeSession(session.session(), out);
      out.putLong(session.doneUpTo());
      out.putInt(session.done().size());
      session
          .done()
          .forEach((number, done) -> {
            out.putLong(number);
            out.putLong(done.seq());
            parts.writeAnswer(done.result(), out);
          });
    }
  }

  static DedupTable readRecords(CommandCodec parts, MessageReader in)
      throws MalformedMessageException {
    long uncertainMillisAgo = in.count64("uncertain");
    int count = in.countOf("sessions", SESSION_BYTES_MIN);
    List<Records> sessions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      SessionId session = readSession(in);
      long doneUpTo = in.count64("doneUpTo");
      sessions.add(new Records(session, doneUpTo, readDone(parts, in)));
    }
    return DedupTable.of(sessions, uncertainMillisAgo);
  }

  private static Map<Long, Done> readDone(CommandCodec parts, MessageReader in)
      throws MalformedMessageException {
    int count = in.countOf("done", DONE_BYTES_MIN);
    TreeMap<Long, Done> done = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      long number = in.count64("number");
      if (!done.isEmpty() && number <= done.lastKey()) {
        throw in.malformed("number", number, "expected rising numbers");
      }
      long seq = in.count64("seq");
      done.put(number, new Done(seq, parts.readAnswer(in)));
    }
    return done;
  }
}

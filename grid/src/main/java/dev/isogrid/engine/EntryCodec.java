package dev.isogrid.engine;

import dev.isogrid.base.EpochClock;
import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.EntryCommand.ClearEntries;
import dev.isogrid.engine.EntryCommand.ReadEntry;
import dev.isogrid.store.DetachedEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The commands of caches, and what their messages hold, in bytes. Thread-safe. */
public final class EntryCodec implements CommandCodec {
  /*
   * Byte order, bytes and text are those of MessageLayout.
   *
   *    opcode            the command's own layout
   *    1 read            key
   *    2 write           key, action 1, condition 1, expected sequence 8, wants previous 1,
   *                      silent 1, fields 1, entry if true, without sequence and times of its own
   *    3 clear           cache 4
   *    4 apply           key, epoch of versions 4, function 1, argument bytes
   *    5 process         key, processor bytes
   *    6 write many      cache 4, silent 1, count 4, each: key bytes, entry as in 2
   *
   *    part              layout
   *    key               cache 4, kind 1 (0 all keys of the cache, 1 a key), bytes
   *    entry             flags 1 (bits below), sequence 8, created 8, lifespan 8, last used 8, max
   *                      idle 8, client flags 4, media type text, each if its flag says so; bytes
   *    answer            tag 1: 0 null, 1 a number of 8 bytes, 2 entry,
   *                      3 outcome 1, existed 1, sequence 8, previous 1, entry if true,
   *                        silent 1, refused 1, reason text if true, temporary 1
   *                      4 sequence 8, bytes, refused 1, reason text if true
   *                      5 an answer that is not kept: silent 1
   */
  private static final int READ = 1;
  private static final int WRITE = 2;
  private static final int CLEAR = 3;
  private static final int APPLY = 4;
  private static final int PROCESS = 5;
  private static final int WRITE_MANY = 6;

  /** Of a key and an entry, both empty. */
  private static final int PUT_BYTES_MIN = 4 + 1 + 4;

  private static final int SCOPE = 0;
  private static final int KEY = 1;

  private static final int SEQUENCE = 1;
  private static final int LIFESPAN = 2;
  private static final int MAX_IDLE = 4;
  private static final int CLIENT_FLAGS = 8;
  private static final int MEDIA_TYPE = 16;
  private static final int FLAGS_MAX = 31;

  private static final int NULL = 0;
  private static final int NUMBER = 1;
  private static final int ENTRY = 2;
  private static final int WRITTEN = 3;
  private static final int APPLIED = 4;
  private static final int OMITTED = 5;

  private static final List<WriteEntry.Action> ACTIONS = List.of(WriteEntry.Action.values());
  private static final List<KeyWrite.Condition> CONDITIONS = List.of(KeyWrite.Condition.values());
  private static final List<KeyWrite.Outcome> OUTCOMES = List.of(KeyWrite.Outcome.values());

  private final EpochClock clock;

  /** Known to all nodes by their places. */
  private final List<EntryFunction> functions;

  /**
   * A codec for a node.
   *
   * @param clock the node's, by which commands that it reads decide what is expired
   * @param functions those by which commands decide what to change; new ones come last, since their
   *     places travel between nodes
   */
  public EntryCodec(EpochClock clock, List<EntryFunction> functions) {
    this.clock = clock;
    this.functions = List.copyOf(functions);
  }

  // ---- commands

  @Override
  public int opcode(Command command) {
    return switch (known(command)) {
      case ReadEntry _ -> READ;
      case WriteEntry _ -> WRITE;
      case WriteEntries _ -> WRITE_MANY;
      case ClearEntries _ -> CLEAR;
      case ApplyFunction _ -> APPLY;
      case ProcessEntry _ -> PROCESS;
    };
  }

  private static EntryCommand known(Command command) {
    if (command instanceof EntryCommand known) {
      return known;
    }
    throw new IllegalArgumentException("no command of a cache: " + command.getClass().getName());
  }

  @Override
  public void write(Command command, MessageWriter out) {
    switch (known(command)) {
      case ReadEntry read -> writeKey(read.key(), out);
      case WriteEntry write -> writeWrite(write, out);
      case WriteEntries writes -> writeWrites(writes, out);
      case ClearEntries clear -> {
        out.putInt(clear.key().cacheId());
        out.putBoolean(clear.isSilent());
      }
      case ApplyFunction apply -> {
        writeKey(apply.key(), out);
        out.putInt(apply.versionEpoch());
        out.putByte(functions.indexOf(apply.function()));
        out.putBytes(apply.argument());
      }
      case ProcessEntry process -> {
        writeKey(process.key(), out);
        out.putBytes(process.processor());
      }
    }
  }

  private void writeWrite(WriteEntry write, MessageWriter out) {
    writeKey(write.key(), out);
    out.putByte(ACTIONS.indexOf(write.action()));
    out.putByte(CONDITIONS.indexOf(write.condition()));
    out.putLong(write.expectedSequence());
    out.putBoolean(write.wantsPrevious());
    out.putBoolean(write.isSilent());
    WriteEntry.Fields fields = write.fields();
    out.putBoolean(fields != null);
    if (fields != null) {
      writeValue(fields.entry(0), out);
    }
  }

  private void writeWrites(WriteEntries all, MessageWriter out) {
    out.putInt(all.key().cacheId());
    out.putBoolean(all.isSilent());
    out.putInt(all.writes().size());
    for (WriteEntry write : all.writes()) {
      out.putBytes(ByteString.of(write.key().bytes()));
      writeValue(Objects.requireNonNull(write.fields()).entry(0), out);
    }
  }

  private WriteEntries readWrites(MessageReader in) throws MalformedMessageException {
    CacheScope cache = scope(in);
    boolean isSilent = in.bool("silent");
    int count = in.countOf("writes", PUT_BYTES_MIN);
    List<WriteEntry> writes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      EntryKey key = new EntryKey(cache.cacheId(), in.bytes("key").toByteArray());
      WriteEntry.Fields fields = fields(readValue(in));
      writes.add(
          new WriteEntry(
              key,
              WriteEntry.Action.STORE,
              KeyWrite.Condition.NONE,
              0,
              fields,
              false,
              isSilent,
              clock));
    }
    return new WriteEntries(cache, writes);
  }

  private static WriteEntry.Fields fields(DetachedEntry entry) {
    return new WriteEntry.Fields(
        entry.lifespanMillis(),
        entry.maxIdleMillis(),
        entry.clientFlags(),
        entry.mediaType(),
        entry.value());
  }

  @Override
  public Command read(int opcode, MessageReader in) throws MalformedMessageException {
    return switch (opcode) {
      case READ -> new ReadEntry(entryKey(in));
      case WRITE -> readWrite(in);
      case WRITE_MANY -> readWrites(in);
      case CLEAR -> new ClearEntries(scope(in), in.bool("silent"));
      case APPLY -> {
        EntryKey key = entryKey(in);
        int versionEpoch = in.count32("epoch of versions", Integer.MAX_VALUE);
        EntryFunction function = oneOf(functions, "function", in);
        yield new ApplyFunction(key, versionEpoch, in.bytes("argument"), function, clock);
      }
      case PROCESS -> {
        EntryKey key = entryKey(in);
        yield new ProcessEntry(key, in.bytes("processor"), null);
      }
      default -> throw in.malformed("opcode", opcode, "unknown");
    };
  }

  private WriteEntry readWrite(MessageReader in) throws MalformedMessageException {
    EntryKey key = entryKey(in);
    WriteEntry.Action action = oneOf(ACTIONS, "action", in);
    KeyWrite.Condition condition = oneOf(CONDITIONS, "condition", in);
    long expected = in.count64("expected");
    boolean wantsPrevious = in.bool("wants previous");
    boolean isSilent = in.bool("silent");
    DetachedEntry entry = in.bool("fields") ? readValue(in) : null;
    boolean needsFields = action == WriteEntry.Action.STORE || action == WriteEntry.Action.TOUCH;
    if (needsFields != (entry != null)) {
      throw in.malformed("fields", ACTIONS.indexOf(action), "don't fit the action");
    }
    WriteEntry.Fields fields = entry == null ? null : fields(entry);
    return new WriteEntry(key, action, condition, expected, fields, wantsPrevious, isSilent, clock);
  }

  private static <E> E oneOf(List<E> all, String field, MessageReader in)
      throws MalformedMessageException {
    int number = in.unsignedByte(field);
    if (number >= all.size()) {
      throw in.malformed(field, number, "unknown");
    }
    return all.get(number);
  }

  // ---- keys

  @Override
  public void writeKey(Object key, MessageWriter out) {
    switch (key) {
      case EntryKey entryKey -> {
        out.putInt(entryKey.cacheId());
        out.putByte(KEY);
        out.putBytes(ByteString.of(entryKey.bytes()));
      }
      case CacheScope scope -> {
        out.putInt(scope.cacheId());
        out.putByte(SCOPE);
      }
      default -> throw new IllegalArgumentException("no key of a cache: " + key.getClass());
    }
  }

  @Override
  public Object readKey(MessageReader in) throws MalformedMessageException {
    int cacheId = cacheId(in);
    int kind = in.unsignedByte("kind");
    return switch (kind) {
      case SCOPE -> new CacheScope(cacheId);
      case KEY -> new EntryKey(cacheId, in.bytes("key").toByteArray());
      default -> throw in.malformed("kind", kind, "unknown");
    };
  }

  private EntryKey entryKey(MessageReader in) throws MalformedMessageException {
    if (readKey(in) instanceof EntryKey key) {
      return key;
    }
    throw in.malformed("kind", SCOPE, "expected a key");
  }

  private static CacheScope scope(MessageReader in) throws MalformedMessageException {
    return new CacheScope(cacheId(in));
  }

  private static int cacheId(MessageReader in) throws MalformedMessageException {
    return in.count32("cache", Integer.MAX_VALUE);
  }

  // ---- entries

  @Override
  public void writeValue(Object value, MessageWriter out) {
    DetachedEntry entry = (DetachedEntry) value;
    String mediaType = entry.mediaType();
    int flags =
        (entry.sequence() != 0 ? SEQUENCE : 0)
            | (entry.lifespanMillis() >= 0 ? LIFESPAN : 0)
            | (entry.maxIdleMillis() >= 0 ? MAX_IDLE : 0)
            | (entry.clientFlags() != 0 ? CLIENT_FLAGS : 0)
            | (mediaType != null ? MEDIA_TYPE : 0);
    out.putByte(flags);
    if (entry.sequence() != 0) {
      out.putLong(entry.sequence());
    }
    if ((flags & (LIFESPAN | MAX_IDLE)) != 0) {
      out.putLong(entry.createdMillis());
    }
    if ((flags & LIFESPAN) != 0) {
      out.putLong(entry.lifespanMillis());
    }
    if ((flags & MAX_IDLE) != 0) {
      out.putLong(entry.lastUsedMillis());
      out.putLong(entry.maxIdleMillis());
    }
    if (entry.clientFlags() != 0) {
      out.putInt(entry.clientFlags());
    }
    if (mediaType != null) {
      out.putText(mediaType);
    }
    out.putBytes(entry.value());
  }

  @Override
  public DetachedEntry readValue(MessageReader in) throws MalformedMessageException {
    int flags = in.unsignedByte("flags");
    if (flags > FLAGS_MAX) {
      throw in.malformed("flags", flags, "unknown");
    }
    long sequence = (flags & SEQUENCE) != 0 ? in.count64("sequence") : 0;
    boolean isMortal = (flags & (LIFESPAN | MAX_IDLE)) != 0;
    long createdMillis = isMortal ? in.int64("created") : -1;
    long lifespanMillis = (flags & LIFESPAN) != 0 ? in.count64("lifespan") : -1;
    boolean hasIdle = (flags & MAX_IDLE) != 0;
    long lastUsedMillis = hasIdle ? in.int64("last used") : -1;
    long maxIdleMillis = hasIdle ? in.count64("max idle") : -1;
    int clientFlags = (flags & CLIENT_FLAGS) != 0 ? in.int32("client flags") : 0;
    String mediaType = (flags & MEDIA_TYPE) != 0 ? mediaType(in) : null;
    return new DetachedEntry(
        sequence,
        createdMillis,
        lifespanMillis,
        lastUsedMillis,
        maxIdleMillis,
        clientFlags,
        mediaType,
        in.bytes("value"));
  }

  @Override
  public void writeCopied(Object value, MessageWriter out) {
    EntryPiece piece = value instanceof EntryPiece part ? part : null;
    out.putBoolean(piece != null);
    writeValue(piece == null ? value : piece.entry(), out);
    if (piece != null) {
      out.putInt(piece.offset());
      out.putInt(piece.length());
    }
  }

  @Override
  public Object readCopied(MessageReader in) throws MalformedMessageException {
    boolean isPiece = in.bool("piece");
    DetachedEntry entry = readValue(in);
    if (!isPiece) {
      return entry;
    }
    int offset = in.count32("offset", Integer.MAX_VALUE);
    return new EntryPiece(entry, offset, in.count32("length", Integer.MAX_VALUE));
  }

  private static String mediaType(MessageReader in) throws MalformedMessageException {
    String mediaType = in.text("media type");
    if (!DetachedEntry.isMediaType(mediaType)) {
      throw in.malformed("media type", mediaType.length(), "too long or not ASCII");
    }
    return mediaType;
  }

  // ---- answers

  @Override
  public void writeAnswer(@Nullable Object answer, MessageWriter out) {
    switch (answer) {
      case null -> out.putByte(NULL);
      case Long number -> {
        out.putByte(NUMBER);
        out.putLong(number);
      }
      case DetachedEntry entry -> {
        out.putByte(ENTRY);
        writeValue(entry, out);
      }
      case WriteResult result -> {
        out.putByte(WRITTEN);
        out.putByte(OUTCOMES.indexOf(result.outcome()));
        out.putBoolean(result.existed());
        out.putLong(result.sequence());
        DetachedEntry previous = result.previous();
        out.putBoolean(previous != null);
        if (previous != null) {
          writeValue(previous, out);
        }
        out.putBoolean(result.isSilent());
        writeRefusal(result.refusal(), out);
        out.putBoolean(result.isTemporary());
      }
      case ApplyFunction.Answer applied -> {
        out.putByte(APPLIED);
        out.putLong(applied.sequence());
        out.putBytes(applied.answer());
        writeRefusal(applied.refusal(), out);
      }
      case OmittedAnswer omitted -> {
        out.putByte(OMITTED);
        out.putBoolean(omitted.isSilent());
      }
      default -> throw new IllegalArgumentException("no answer of a cache: " + answer.getClass());
    }
  }

  private static void writeRefusal(@Nullable String refusal, MessageWriter out) {
    out.putBoolean(refusal != null);
    if (refusal != null) {
      out.putText(refusal);
    }
  }

  @Override
  public @Nullable Object readAnswer(MessageReader in) throws MalformedMessageException {
    int tag = in.unsignedByte("answer");
    return switch (tag) {
      case NULL -> null;
      case NUMBER -> in.int64("answer");
      case ENTRY -> readValue(in);
      case WRITTEN -> {
        KeyWrite.Outcome outcome = oneOf(OUTCOMES, "outcome", in);
        boolean existed = in.bool("existed");
        long sequence = in.count64("sequence");
        DetachedEntry previous = in.bool("previous") ? readValue(in) : null;
        boolean isSilent = in.bool("silent");
        String refusal = in.bool("refused") ? in.text("refusal") : null;
        boolean isTemporary = in.bool("temporary");
        yield new WriteResult(outcome, existed, sequence, previous, isSilent, refusal, isTemporary);
      }
      case APPLIED -> {
        long sequence = in.count64("sequence");
        ByteString answer = in.bytes("answer");
        String refusal = in.bool("refused") ? in.text("refusal") : null;
        yield new ApplyFunction.Answer(sequence, answer, refusal);
      }
      case OMITTED -> new OmittedAnswer(in.bool("silent"));
      default -> throw in.malformed("answer", tag, "unknown");
    };
  }
}

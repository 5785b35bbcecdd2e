package dev.isogrid.server.memcached;

import dev.isogrid.api.GridException;
import dev.isogrid.server.net.CacheLatencies.Kind;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.security.Caller;
import dev.isogrid.structure.Arithmetic;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The binary protocol of one connection. */
final class BinarySession extends Session {
  /** The largest body, as in memcached; a larger one closes the connection. */
  private static final int BODY_LENGTH_MAX = 1 << 30;

  /** The expiration of a missing number that must not be created. */
  private static final int DO_NOT_MAKE = -1;

  private static final int TIME_AFTER_FLAGS = Integer.BYTES;
  private static final int INITIAL_AFTER_DELTA = Long.BYTES;
  private static final int TIME_AFTER_INITIAL = 2 * Long.BYTES;

  private static final byte[] NOT_PERMITTED = Reply.ascii("Not permitted.");
  private static final byte[] NO_MEMORY = Reply.ascii("Out of memory allocating item");
  private static final byte[] VERSION = Reply.ascii(MemcachedEndpoint.VERSION);
  private static final byte[] DETAILED = Reply.ascii("detailed");
  private static final String RESET = "reset";
  private static final String DETAIL = "detail ";
  private static final String SETTINGS = "settings";

  /** The expected part of the input. */
  private enum State {
    /** A request. */
    REQUEST,
    /** The value of the current request. */
    VALUE,
    /** The rest of a refused value. */
    REFUSED_VALUE,
    /** None: the connection must be closed. */
    CLOSING
  }

  private final BinaryHeader header = new BinaryHeader();
  private final BinaryReply reply;
  private final byte[] key = new byte[Conversation.KEY_LENGTH_MAX];
  private final Block block = new Block();
  private final BinaryRetrieval retrieval;
  private final Store store;
  private final Deletion deletion;
  private final Calculation calculation;
  private final Flush flush;
  private final StatsGroups stats;
  private final SaslLogin login;

  private final Runnable retrieving = this::retrieve;
  private final Runnable touching = this::touch;
  private final Runnable storing = this::storeBlock;
  private final Runnable removing = this::removeOld;
  private final Runnable deleting = this::delete;
  private final Runnable calculating = this::calculate;
  private final Runnable showingStats = this::showStats;

  private State state = State.REQUEST;
  private long refusedBytes;

  // The current request.
  private int keyLength;
  private Opcode opcode = Opcode.NOOP;
  private Command storeCommand = Command.SET;
  private long lifespanMillis;

  // tidy: shared by the sessions of a connection
  BinarySession(
      MemcachedEndpoint endpoint,
      Output output,
      Channel channel,
      Caller caller,
      AsideCommands aside) {
    super(new Conversation(endpoint, output, caller, aside));
    this.reply = new BinaryReply(output, header);
    this.retrieval = new BinaryRetrieval(conversation, reply);
    this.store = new Store(conversation, block.bytes());
    this.deletion = new Deletion(conversation);
    this.calculation = new Calculation(conversation);
    this.flush = new Flush(conversation, () -> replyDone(0));
    this.stats =
        new StatsGroups(
            conversation,
            channel,
            (name, value) -> reply.statistic(Reply.ascii(name), Reply.ascii(value)));
    this.login = new SaslLogin(conversation, reply);
  }

  @Override
  boolean isClosing() {
    return state == State.CLOSING;
  }

  @Override
  boolean isAlone() {
    return conversation.isAlone() || state == State.REFUSED_VALUE;
  }

  @Override
  Block block() {
    return block;
  }

  @Override
  void giveUp(GiveUp reason) {
    reply.error(reason.status());
    state = State.CLOSING;
  }

  @Override
  void answer(GridException failure) {
    conversation.output.releaseLarge();
    if (conversation.report(failure)) {
      reply.value(Status.OUT_OF_MEMORY, NO_MEMORY);
    } else {
      byte[] words = Reply.message(failure).getBytes(StandardCharsets.UTF_8);
      reply.value(Status.INTERNAL_ERROR, words);
    }
  }

  @Override
  boolean step(ByteBuf in) {
    try {
      return switch (state) {
        case REQUEST -> readRequest(in);
        case VALUE -> readValue(in);
        case REFUSED_VALUE -> skipValue(in);
        case CLOSING -> false;
      };
    } catch (GridException failure) {
      answer(failure);
      return true;
    }
  }

  private boolean readRequest(ByteBuf in) {
    int start = in.readerIndex();
    if (in.isReadable() && in.getUnsignedByte(start) != BinaryHeader.REQUEST_MAGIC) {
      state = State.CLOSING;
      return false;
    }
    if (in.readableBytes() < BinaryHeader.SIZE) {
      return false;
    }
    header.read(in, start);
    Opcode known = Opcode.of(header.opcode());
    Status problem = problem(known);
    if (problem != null) {
      reply.error(problem);
      state = State.CLOSING;
      return false;
    }
    int extrasAt = start + BinaryHeader.SIZE;
    int headLength = BinaryHeader.SIZE + header.extrasLength() + header.keyLength();
    if (in.readableBytes() < headLength) {
      return false;
    }
    in.skipBytes(headLength);
    keyLength = header.keyLength();
    in.getBytes(extrasAt + header.extrasLength(), key, 0, keyLength);
    conversation.setKey(key, 0, keyLength);
    refusedBytes = header.valueLength();
    state = refusedBytes > 0 ? State.REFUSED_VALUE : State.REQUEST; // as long as nobody wants it
    begin(known, in, extrasAt);
    return true;
  }

  /**
   * Checks the header before any byte of the body is kept.
   *
   * @return the reason to close the connection, or null
   */
  private @Nullable Status problem(@Nullable Opcode known) {
    if (header.valueLength() < 0) {
      return Status.UNKNOWN_COMMAND;
    }
    if (header.bodyLength() > BODY_LENGTH_MAX) {
      return Status.INVALID;
    }
    boolean isLogin = known != null && known.isLogin();
    if (!isLogin && isStranger()) {
      return Status.AUTH_ERROR;
    }
    boolean isValid = header.keyLength() <= Conversation.KEY_LENGTH_MAX;
    return isValid && (known == null || known.fits(header)) ? null : Status.INVALID;
  }

  private void begin(@Nullable Opcode known, ByteBuf in, int extrasAt) {
    if (known == null) {
      reply.error(Status.UNKNOWN_COMMAND);
      return;
    }
    opcode = known;
    if (known.isLogin()) {
      beginLogin(known);
    } else if (conversation.isPermitted(known.command())) {
      conversation.timer.by(known.command());
      execute(known.loud(), in, extrasAt);
    } else {
      conversation.caller.refusal(known.command().needed(), known.name());
      reply.value(Status.AUTH_ERROR, NOT_PERMITTED);
    }
  }

  private void execute(Opcode loud, ByteBuf in, int extrasAt) {
    switch (loud) {
      case GET, GETK -> {
        retrieval.with(true, key, loud == Opcode.GETK ? keyLength : 0);
        conversation.onKey(Kind.GET, retrieving);
      }
      case TOUCH, GAT, GATK -> {
        lifespanMillis = lifespanMillis(in, extrasAt);
        retrieval.with(loud != Opcode.TOUCH, key, loud == Opcode.GATK ? keyLength : 0);
        conversation.onKey(Kind.OTHER, touching);
      }
      case SET, ADD, REPLACE -> {
        boolean isCompared = header.cas() != 0;
        int flags = in.getInt(extrasAt);
        store.with(flags, in.getUnsignedInt(extrasAt + TIME_AFTER_FLAGS));
        beginStore(isCompared ? Command.CAS : loud.command(), flags);
      }
      case APPEND, PREPEND -> beginStore(loud.command(), 0);
      case DELETE -> {
        conversation.prefixes.remove(key, 0, keyLength);
        conversation.onKey(Kind.REMOVE, deleting);
      }
      case INCREMENT, DECREMENT -> beginCalculation(loud == Opcode.INCREMENT, in, extrasAt);
      case FLUSH -> {
        conversation.counters.cmdFlush.increment();
        flush.after(header.extrasLength() == 0 ? 0 : in.getUnsignedInt(extrasAt));
      }
      case STAT -> conversation.inTurn(showingStats);
      case VERSION -> reply.value(Status.OK, VERSION);
      case QUIT -> {
        replyDone(0);
        state = State.CLOSING;
      }
      default -> replyDone(0); // noop, and the verbosity, which is set elsewhere
    }
  }

  private long lifespanMillis(ByteBuf in, int index) {
    long nowMillis = conversation.endpoint.nowMillis();
    return Exptime.lifespanMillis(in.getUnsignedInt(index), nowMillis);
  }

  private void replyDone(long cas) {
    if (!opcode.isQuiet()) {
      reply.done(cas);
    }
  }

  // ---- values

  private void beginStore(Command command, int flags) {
    storeCommand = command;
    conversation.prefixes.store(key, 0, keyLength);
    ItemSize itemSize = conversation.endpoint.itemSize();
    if (itemSize.fits(header.valueLength(), keyLength, flags)) {
      state = State.VALUE;
      return;
    }
    store.refused(command);
    if (opcode.loud() == Opcode.SET) { // an older value must not stay
      conversation.onKey(Kind.REMOVE, removing);
    } else {
      reply.error(Status.TOO_LARGE);
    }
  }

  private boolean readValue(ByteBuf in) {
    int length = (int) header.valueLength();
    if (in.readableBytes() < length) {
      return false;
    }
    state = State.REQUEST;
    int start = in.readerIndex();
    in.skipBytes(length);
    if (opcode.isLogin()) {
      byte[] response = new byte[length];
      in.getBytes(start, response);
      String mechanism = new String(key, 0, keyLength, StandardCharsets.ISO_8859_1);
      login.step(opcode == Opcode.SASL_AUTH, mechanism, response);
    } else {
      conversation.counters.cmdSet.increment();
      block.bytes().set(in, start, length);
      conversation.onKey(block, storing);
    }
    return true;
  }

  private boolean skipValue(ByteBuf in) {
    int skipped = (int) Math.min(refusedBytes, in.readableBytes());
    in.skipBytes(skipped);
    refusedBytes -= skipped;
    if (refusedBytes > 0) {
      return false;
    }
    state = State.REQUEST;
    return true;
  }

  private void beginLogin(Opcode step) {
    if (conversation.caller.isUnrestricted()) {
      reply.error(Status.UNKNOWN_COMMAND);
    } else if (step == Opcode.SASL_LIST_MECHS) {
      login.list();
    } else if (keyLength > SaslLogin.MECHANISM_LENGTH_MAX) {
      reply.error(Status.INVALID);
    } else if (header.valueLength() > Intake.STRANGER_SIZE_MAX) {
      reply.error(Status.OUT_OF_MEMORY);
    } else {
      state = State.VALUE;
    }
  }

  // ---- operations that may wait

  private void retrieve() {
    answerMiss(retrieval.get());
  }

  private void touch() {
    answerMiss(retrieval.getAndTouch(lifespanMillis));
  }

  private void answerMiss(boolean isFound) {
    conversation.prefixes.read(key, 0, keyLength, isFound);
    if (isFound || opcode.isQuiet()) {
      return;
    }
    switch (opcode) {
      case GETK, GATK -> reply.notFound(key, keyLength);
      default -> reply.error(Status.NOT_FOUND);
    }
  }

  private void storeBlock() {
    block.storeBy(this::store);
  }

  private void store() {
    switch (store.expecting(header.cas()).perform(storeCommand)) {
      case STORED -> replyDone(store.newCas());
      case EXISTS -> reply.error(Status.EXISTS);
      case NOT_FOUND -> reply.error(Status.NOT_FOUND);
      case NOT_STORED ->
          reply.error(
              switch (storeCommand) {
                case ADD -> Status.EXISTS;
                case REPLACE -> Status.NOT_FOUND;
                default -> Status.NOT_STORED;
              });
    }
  }

  private void removeOld() {
    store.removeOld();
    reply.error(Status.TOO_LARGE);
  }

  private void delete() {
    switch (deletion.perform(header.cas())) {
      case DONE, KEY_PRESENT -> replyDone(0);
      case KEY_ABSENT -> reply.error(Status.NOT_FOUND);
      case OTHER_VERSION -> reply.error(Status.EXISTS);
    }
  }

  private void beginCalculation(boolean isIncrement, ByteBuf in, int extrasAt) {
    long nowMillis = conversation.endpoint.nowMillis();
    Arithmetic wanted = calculation.arithmetic().to(isIncrement, in.getLong(extrasAt), nowMillis);
    if (in.getInt(extrasAt + TIME_AFTER_INITIAL) != DO_NOT_MAKE) {
      wanted.making(
          in.getLong(extrasAt + INITIAL_AFTER_DELTA),
          lifespanMillis(in, extrasAt + TIME_AFTER_INITIAL));
    }
    conversation.onKey(Kind.OTHER, calculating);
  }

  private void calculate() {
    switch (calculation.perform(header.cas())) {
      case DONE, MADE -> {
        if (!opcode.isQuiet()) {
          reply.number(calculation.arithmetic().result(), calculation.newCas());
        }
      }
      case NO_ENTRY -> reply.error(Status.NOT_FOUND);
      case OTHER_VERSION -> reply.error(Status.EXISTS);
      case NO_NUMBER -> reply.error(Status.NON_NUMERIC);
    }
  }

  private void showStats() {
    String name = new String(key, 0, keyLength, StandardCharsets.ISO_8859_1);
    if (name.startsWith(DETAIL)) {
      showDetail(name.substring(DETAIL.length()));
      return;
    }
    if (name.startsWith(RESET)) {
      conversation.counters.reset();
    } else if (!stats.show(name.startsWith(SETTINGS) ? SETTINGS : name)) {
      reply.error(Status.NOT_FOUND);
      return;
    }
    reply.endOfStatistics();
  }

  /** Counts operations by prefixes of keys, or shows the counts, as one statistic. */
  private void showDetail(String what) {
    if (!conversation.isPermitted(Command.LRU_CRAWLER)) {
      conversation.caller.refusal(Command.LRU_CRAWLER.needed(), "stats detail");
      reply.value(Status.AUTH_ERROR, NOT_PERMITTED);
      return;
    }
    switch (what) {
      case "on", "off" -> conversation.prefixes.count(what.equals("on"));
      case "dump" -> reply.statistic(DETAILED, conversation.prefixes.linesAndEnd());
      default -> {
        reply.error(Status.NOT_FOUND);
        return;
      }
    }
    reply.endOfStatistics();
  }
}

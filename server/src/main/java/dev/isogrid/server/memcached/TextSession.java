package dev.isogrid.server.memcached;

import dev.isogrid.api.GridException;
import dev.isogrid.server.security.Caller;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** The text protocol of one connection. */
final class TextSession extends Session {
  private static final int LINE_NOT_COMPLETE = -1;

  /** The most blanks before a get of many keys. */
  private static final int LEADING_BLANKS_MAX = 100;

  private static final byte[] GET = Reply.ascii("get ");
  private static final byte[] GETS = Reply.ascii("gets ");
  private static final byte[] HTTP = Reply.ascii("HTTP/");

  /** The first letters of commands. */
  private static final String INITIALS = "acdgist";

  /** The expected part of the input. */
  private enum State {
    /** A line. */
    COMMAND,
    /** None: keys of the line remain to be answered. */
    KEYS,
    /** None: keys of the cache remain to be listed. */
    DUMP,
    /** The block of bytes of a storage command. */
    BLOCK,
    /** None: the connection watches. Input is dropped. */
    WATCHING,
    /** The rest of a refused block. */
    REFUSED_BLOCK,
    /** The block of bytes of a login. */
    LOGIN,
    /** None: the connection must be closed. */
    CLOSING
  }

  private final Retrieval retrieval;
  private final Storage storage;
  private final MetaStorage metaStorage;
  private final MetaRetrieval metaRetrieval;
  private final MetaCommands metaCommands;
  private final KeyCommands keyCommands;
  private final ServerCommands serverCommands;
  private final MemoryCommands memoryCommands;
  private final KeyDump dump;
  private final Watch watch;
  private final Runnable dumping = this::dump;
  private final TextLogin login;

  /**
   * The longest line: a get of many keys may be as long as any other request, but not shorter than
   * a line.
   */
  private final int lineLengthMax;

  private State state = State.COMMAND;

  /** The command that has a block of bytes. */
  private BlockCommand block;

  /** Bytes of the line that were searched for its end. */
  private int scannedBytes;

  private long refusedBytes;

  // tidy: shared by the sessions of a connection
  TextSession(
      MemcachedEndpoint endpoint,
      Output output,
      Channel channel,
      Caller caller,
      AsideCommands aside) {
    super(new Conversation(endpoint, output, caller, aside));
    this.login = new TextLogin(conversation);
    this.retrieval = new Retrieval(conversation, this::answerKeys);
    this.storage = new Storage(conversation);
    MetaLine meta = new MetaLine(conversation);
    this.metaStorage = new MetaStorage(meta);
    this.metaRetrieval = new MetaRetrieval(meta);
    this.metaCommands = new MetaCommands(meta);
    this.block = storage;
    this.keyCommands = new KeyCommands(conversation);
    this.dump = new KeyDump(conversation);
    this.serverCommands = new ServerCommands(conversation, channel, dump, this::startDump);
    this.watch = new Watch(conversation, channel, () -> state = State.WATCHING);
    this.memoryCommands = new MemoryCommands(conversation);
    this.lineLengthMax = Math.max(CommandLine.LENGTH_USUAL, endpoint.context().contentLengthMax());
  }

  @Override
  boolean isClosing() {
    return state == State.CLOSING;
  }

  @Override
  void release() {
    super.release();
    dump.close();
    watch.close();
  }

  @Override
  boolean isAlone() {
    return conversation.isAlone() || state == State.REFUSED_BLOCK;
  }

  @Override
  Block block() {
    return block.held();
  }

  @Override
  void giveUp(GiveUp reason) {
    conversation.output.append(Reply.line(reason.line()));
    state = State.CLOSING;
  }

  @Override
  void answer(GridException failure) {
    conversation.output.releaseLarge();
    conversation.reply(
        conversation.report(failure) ? Reply.OUT_OF_MEMORY : Reply.serverError(failure));
    if (state == State.KEYS) {
      endRetrieval();
    } else if (state == State.DUMP) {
      dump.close();
      state = State.COMMAND;
    }
  }

  @Override
  boolean step(ByteBuf in) {
    try {
      return switch (state) {
        case COMMAND -> readLine(in);
        case KEYS -> answerKeys();
        case DUMP -> goOnDumping();
        case BLOCK -> readBlock(in);
        case REFUSED_BLOCK -> skipBlock(in);
        case WATCHING -> drop(in);
        case LOGIN -> readLogin(in);
        case CLOSING -> false;
      };
    } catch (GridException failure) {
      answer(failure);
      return true;
    }
  }

  private boolean readLine(ByteBuf in) {
    int length = lineLength(in);
    if (length == LINE_NOT_COMPLETE) {
      if (scannedBytes > CommandLine.LENGTH_USUAL && !mayGrow(in)) {
        state = State.CLOSING;
      }
      return false;
    }
    scannedBytes = 0;
    boolean carriageReturn = length > 1 && in.getByte(in.readerIndex() + length - 1) == '\r';
    CommandLine line = conversation.line;
    line.read(in, carriageReturn ? length - 1 : length);
    in.skipBytes(carriageReturn ? 2 : 1);
    conversation.begin();
    if (!line.next()) {
      conversation.reply(isStranger() ? Reply.UNAUTHENTICATED : Reply.ERROR);
      return true;
    }
    Command command = Command.of(line.bytes(), line.start(), line.length());
    conversation.timer.by(command);
    if (conversation.mustLogIn()) {
      beginLogin(command);
    } else if (conversation.isPermitted(command)) {
      execute(command);
    } else {
      refuse(command);
    }
    if (state == State.KEYS) {
      return answerKeys();
    }
    return true;
  }

  private void beginLogin(Command command) {
    if (command == Command.QUIT) {
      state = State.CLOSING;
    } else if (command != Command.SET || !login.begin()) {
      conversation.reply(Reply.UNAUTHENTICATED);
    } else if (login.length() <= TextLogin.BLOCK_LENGTH_MAX) {
      state = State.LOGIN;
    } else {
      conversation.reply(Reply.BAD_LOGIN);
      passOver(login.length());
    }
  }

  /** Drops a block of bytes and its end. */
  private void passOver(int length) {
    state = State.REFUSED_BLOCK;
    refusedBytes = (long) length + BlockCommand.BLOCK_END_BYTES;
  }

  private boolean readLogin(ByteBuf in) {
    if (in.readableBytes() < login.length() + BlockCommand.BLOCK_END_BYTES) {
      return false;
    }
    state = State.COMMAND;
    login.take(in);
    return true;
  }

  /** Replies that the caller may not execute a command. */
  private void refuse(Command command) {
    conversation.caller.refusal(command.needed(), command.name());
    if (!command.hasBlock()) {
      conversation.reply(Reply.NOT_PERMITTED);
    } else if (begin(command) != BlockCommand.Next.COMMAND) {
      conversation.reply(Reply.NOT_PERMITTED);
      passOver(block.length());
    }
  }

  private int lineLength(ByteBuf in) {
    int start = in.readerIndex();
    int end = in.indexOf(start + scannedBytes, in.writerIndex(), (byte) '\n');
    if (end < 0) {
      scannedBytes = in.readableBytes();
      return LINE_NOT_COMPLETE;
    }
    return end - start;
  }

  /** Whether a line that is too long for any other command is a get of many keys. */
  private boolean mayGrow(ByteBuf in) {
    if (isStranger()) {
      return false;
    }
    int at = in.readerIndex();
    int blanksEnd = Math.min(at + LEADING_BLANKS_MAX, in.writerIndex());
    while (at < blanksEnd && in.getByte(at) == ' ') {
      at++;
    }
    return scannedBytes <= lineLengthMax && (beginsWith(in, at, GET) || beginsWith(in, at, GETS));
  }

  private static boolean beginsWith(ByteBuf in, int at, byte[] prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if (in.getByte(at + i) != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private void execute(Command command) {
    switch (command) {
      case GET, BGET -> retrieve(retrieval.beginGet(false));
      case GETS -> retrieve(retrieval.beginGet(true));
      case GAT -> retrieve(retrieval.beginGetAndTouch(false));
      case GATS -> retrieve(retrieval.beginGetAndTouch(true));
      case SET, ADD, REPLACE, APPEND, PREPEND, CAS, MS -> store(command);
      case DELETE -> keyCommands.delete();
      case INCR -> keyCommands.arithmetic(true);
      case DECR -> keyCommands.arithmetic(false);
      case TOUCH -> keyCommands.touch();
      case FLUSH_ALL -> serverCommands.flushAll();
      case STATS -> serverCommands.stats();
      case VERSION -> serverCommands.version();
      case VERBOSITY -> serverCommands.verbosity();
      case MG, MD, MA, ME -> executeMeta(command);
      case MN -> conversation.reply(Reply.MN);
      case QUIT -> state = State.CLOSING;
      case SHUTDOWN -> serverCommands.shutdown();
      case SLABS -> memoryCommands.slabs();
      case LRU -> memoryCommands.lru();
      case LRU_CRAWLER -> crawl();
      case CACHE_MEMLIMIT -> memoryCommands.memoryLimit();
      case WATCH -> watch.begin();
      case UNKNOWN -> refuse();
    }
  }

  private void crawl() {
    if (memoryCommands.lruCrawler()) {
      dump.beginMetadump();
      startDump();
    }
  }

  /** The dump is the next step, which waits for all commands before it. */
  private void startDump() {
    state = State.DUMP;
  }

  private boolean goOnDumping() {
    conversation.postponeAlone(dumping);
    return true;
  }

  private void dump() {
    if (dump.writePart()) {
      state = State.COMMAND;
    }
  }

  private void executeMeta(Command command) {
    conversation.counters.cmdMeta.increment();
    switch (command) {
      case MG -> metaRetrieval.begin();
      case MD -> metaCommands.delete();
      case MA -> metaCommands.arithmetic();
      default -> metaCommands.debug();
    }
  }

  private void retrieve(boolean hasKeys) {
    if (hasKeys) {
      state = State.KEYS;
    }
  }

  private boolean answerKeys() {
    if (retrieval.answerKeys()) {
      endRetrieval();
    }
    return true;
  }

  private void endRetrieval() {
    state = State.COMMAND;
    CommandLine line = conversation.line;
    if (line.isLong()) {
      line.forget();
      conversation.key.set(line.bytes(), 0, 0);
    }
  }

  private void store(Command command) {
    switch (begin(command)) {
      case COMMAND -> {}
      case BLOCK -> state = State.BLOCK;
      case REFUSED_BLOCK -> {
        passOver(block.length());
        block.refuse();
      }
    }
  }

  private BlockCommand.Next begin(Command command) {
    block = command == Command.MS ? metaStorage : storage;
    return block.begin(command);
  }

  private static boolean drop(ByteBuf in) {
    in.skipBytes(in.readableBytes());
    return false;
  }

  private boolean readBlock(ByteBuf in) {
    if (in.readableBytes() < block.length() + BlockCommand.BLOCK_END_BYTES) {
      return false;
    }
    state = State.COMMAND;
    block.finish(in);
    return true;
  }

  private boolean skipBlock(ByteBuf in) {
    int skipped = (int) Math.min(refusedBytes, in.readableBytes());
    in.skipBytes(skipped);
    refusedBytes -= skipped;
    if (refusedBytes > 0) {
      return false;
    }
    state = State.COMMAND;
    return true;
  }

  /**
   * Replies to an unknown command. A line with the end of an HTTP request line, and without the
   * beginning of a command, closes the connection: otherwise each further line of the request would
   * get a reply.
   */
  private void refuse() {
    CommandLine line = conversation.line;
    byte first = line.bytes()[line.start()];
    boolean maybeCommand =
        line.length() < 2 || INITIALS.indexOf(first) >= 0 || (first == 'm' && line.length() == 2);
    if (!maybeCommand && line.lastBeginsWith(HTTP)) {
      state = State.CLOSING;
    } else {
      conversation.reply(Reply.ERROR);
    }
  }
}

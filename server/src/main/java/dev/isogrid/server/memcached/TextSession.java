package dev.isogrid.server.memcached;

import dev.isogrid.api.GridException;
import dev.isogrid.server.security.Caller;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;

/**
 * The text protocol of one connection as a state machine: takes what came in, appends the replies
 * to the output. For the connection's event loop; a command that may have to wait for other nodes
 * is done by {@link #doPostponed} on another thread, which has the session to itself meanwhile.
 */
final class TextSession {
  private static final int LINE_NOT_COMPLETE = -1;

  /** Blanks before a get of many keys that are looked past. */
  private static final int LEADING_BLANKS_MAX = 100;

  private static final byte[] GET = Reply.ascii("get ");
  private static final byte[] GETS = Reply.ascii("gets ");
  private static final byte[] HTTP = Reply.ascii("HTTP/");

  /** What the words that only commands begin with begin with. */
  private static final String INITIALS = "acdgist";

  /** What is expected next. */
  private enum State {
    /** A line. */
    COMMAND,
    /** Nothing: keys of the line are left to be answered. */
    KEYS,
    /** Nothing: keys of the cache are left to be listed. */
    DUMP,
    /** The block of bytes of a storage command. */
    BLOCK,
    /** The rest of a block of bytes that nobody wants. */
    REFUSED_BLOCK,
    /** The block of bytes of a login. */
    LOGIN,
    /** Nothing more: the connection is to be closed. */
    CLOSING
  }

  private final Conversation conversation;
  private final Retrieval retrieval;
  private final Storage storage;
  private final MetaStorage metaStorage;
  private final MetaRetrieval metaRetrieval;
  private final MetaCommands metaCommands;
  private final KeyCommands keyCommands;
  private final ServerCommands serverCommands;
  private final MemoryCommands memoryCommands;
  private final KeyDump dump;
  private final Runnable dumping = this::dump;
  private final TextLogin login;

  /** A get of many keys may have as many bytes as any other request, but not less than a line. */
  private final int lineLengthMax;

  private State state = State.COMMAND;

  /** The command that has a block of bytes. */
  private BlockCommand block;

  /** Bytes of the line that are known to have no end in them. */
  private int scannedBytes;

  private long refusedBytes;

  // tidy: what the sessions of a connection share
  TextSession(
      MemcachedEndpoint endpoint,
      Output output,
      Channel channel,
      Caller caller,
      AsideCommands aside) {
    this.conversation = new Conversation(endpoint, output, caller, aside);
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
    this.memoryCommands = new MemoryCommands(conversation);
    this.lineLengthMax = Math.max(CommandLine.LENGTH_USUAL, endpoint.context().contentLengthMax());
  }

  /** Whether the connection is to be closed once the output is sent. */
  boolean isClosing() {
    return state == State.CLOSING;
  }

  /** Whether the client has to log in and has not. */
  boolean isStranger() {
    return conversation.mustLogIn();
  }

  /** Drops replies that were begun but not ended, those that were held, and a block. */
  void release() {
    conversation.output.drop();
    block.forget();
    dump.close();
  }

  /** Whether a command has to be done where it may block. */
  boolean isPostponed() {
    return conversation.isPostponed();
  }

  /** Whether what is postponed waits for all commands before it, and all after it for it. */
  boolean isAlone() {
    return conversation.isAlone() || state == State.REFUSED_BLOCK;
  }

  /** The hash of the key that what is postponed is about; none if it {@link #isAlone}. */
  int keyHash() {
    return conversation.key.hash();
  }

  /** Lets what is postponed do without what came in. */
  void keepBlock(ByteBufAllocator allocator) {
    block.keep(allocator);
  }

  /** The bytes of the block that is kept. */
  int keptSize() {
    return block.keptSize();
  }

  /** Holds replies from now on, since others come first or another thread makes them. */
  void hold() {
    conversation.output.hold();
  }

  /** Passes on the replies that were held, and those to come. On the event loop. */
  void passOn() {
    conversation.output.passOn();
  }

  /** The bytes of the replies that are held. */
  long heldSize() {
    return conversation.output.heldSize();
  }

  /** Whether one more command may be answered. */
  boolean hasRoom() {
    return conversation.output.hasRoom();
  }

  /** Answers what is not complete and never will be. Nothing more is worked off. */
  void giveUp(byte[] reply) {
    conversation.output.append(reply);
    state = State.CLOSING;
  }

  /** Does what was postponed; on a thread that may block. */
  void doPostponed() {
    try {
      conversation.doPostponed();
    } catch (GridException failure) {
      answer(failure);
    }
  }

  /** Ends what was postponed, done or not; on the event loop. */
  void endPostponed() {
    conversation.endPostponed();
  }

  /** Answers that a command failed. */
  void answer(GridException failure) {
    conversation.output.releaseLarge();
    conversation.fail(failure);
    if (state == State.KEYS) {
      endRetrieval();
    } else if (state == State.DUMP) {
      dump.close();
      state = State.COMMAND;
    }
  }

  /**
   * Works off what comes next.
   *
   * @return false if there is nothing to do until more bytes come in; ask {@link #isPostponed} in
   *     any case
   */
  boolean step(ByteBuf in) {
    try {
      return switch (state) {
        case COMMAND -> readLine(in);
        case KEYS -> answerKeys();
        case DUMP -> goOnDumping();
        case BLOCK -> readBlock(in);
        case REFUSED_BLOCK -> skipBlock(in);
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
      conversation.reply(Reply.ERROR);
      return true;
    }
    Command command = Command.of(line.bytes(), line.start(), line.length());
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
    } else if (command != Command.SET) {
      conversation.reply(Reply.UNAUTHENTICATED);
    } else if (begin(command) != BlockCommand.Next.COMMAND) {
      state = State.LOGIN;
      if (storage.length() > TextLogin.BLOCK_LENGTH_MAX) {
        conversation.reply(Reply.BAD_LOGIN);
        passOverBlock();
      }
    }
  }

  private void passOverBlock() {
    state = State.REFUSED_BLOCK;
    refusedBytes = (long) block.length() + BlockCommand.BLOCK_END_BYTES;
  }

  private boolean readLogin(ByteBuf in) {
    if (in.readableBytes() < storage.length() + BlockCommand.BLOCK_END_BYTES) {
      return false;
    }
    state = State.COMMAND;
    login.take(in, storage.length());
    return true;
  }

  /** Answers a command that the caller may not execute. */
  private void refuse(Command command) {
    conversation.caller.refusal(command.needed(), command.name());
    if (!command.hasBlock()) {
      conversation.reply(Reply.NOT_PERMITTED);
    } else if (begin(command) != BlockCommand.Next.COMMAND) {
      conversation.reply(Reply.NOT_PERMITTED);
      passOverBlock();
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

  /** Whether a line that has become too long for any other command is a get of many keys. */
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
      case UNKNOWN -> refuse();
    }
  }

  private void crawl() {
    if (memoryCommands.lruCrawler()) {
      dump.beginMetadump();
      startDump();
    }
  }

  /** It is the next step, which waits for all commands before it. */
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
        passOverBlock();
        block.refuse();
      }
    }
  }

  private BlockCommand.Next begin(Command command) {
    block = command == Command.MS ? metaStorage : storage;
    return block.begin(command);
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
   * Answers what is no command. A line that ends like that of an HTTP request, and does not begin
   * like some command, closes the connection: the rest of the request would be answered line by
   * line.
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

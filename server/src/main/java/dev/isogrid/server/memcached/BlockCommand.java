package dev.isogrid.server.memcached;

import dev.isogrid.server.net.ByteBufBytes;
import io.netty.buffer.ByteBuf;

/**
 * A command that is a line and then a block of bytes. For the connection's event loop, or the
 * thread that works for it meanwhile.
 */
abstract class BlockCommand {
  /** The length of the end of a block. */
  static final int BLOCK_END_BYTES = 2;

  /** The longest block: the length with the end must fit into 32 bits. */
  static final int LENGTH_NUMBER_MAX = Integer.MAX_VALUE - BLOCK_END_BYTES;

  /** The input after the line. */
  enum Next {
    /** Another command: this one was refused. */
    COMMAND,
    /** The block of bytes. */
    BLOCK,
    /** A block of bytes to be dropped: {@link #refuse} replies with the reason. */
    REFUSED_BLOCK
  }

  final Conversation conversation;

  private final Block held = new Block();

  /** The current block, while it is stored. */
  final ByteBufBytes value;

  /** The largest item that is accepted. */
  final ItemSize itemSize;

  /** The length of the block of bytes, without its end. */
  int length;

  private final Runnable storing = this::storeBlock;

  BlockCommand(Conversation conversation) {
    this.conversation = conversation;
    this.value = held.bytes();
    this.itemSize = conversation.endpoint.itemSize();
  }

  /** Takes the line, which is at its command; replies if it refuses a line without a block. */
  abstract Next begin(Command command);

  /** Replies to a line whose block was dropped. */
  abstract void refuse();

  /** Executes the line with {@link #value}, and replies. */
  abstract void store();

  /** The input after a line on the current key whose block would be a new item's value. */
  final Next block(int clientFlags) {
    boolean fits = itemSize.fits(length, conversation.key.length(), clientFlags);
    return fits ? Next.BLOCK : Next.REFUSED_BLOCK;
  }

  /** The length of the block of bytes, without its end. */
  final int length() {
    return length;
  }

  /**
   * Executes the line with the block that begins at the reader's index; moves on after it.
   *
   * @param in has the whole block and its end; its bytes must stay until the command is done or
   *     {@link Block#keep} was called
   */
  final void finish(ByteBuf in) {
    conversation.counters.cmdSet.increment();
    int start = in.readerIndex();
    in.skipBytes(length + BLOCK_END_BYTES);
    boolean ended = in.getByte(start + length) == '\r' && in.getByte(start + length + 1) == '\n';
    if (!ended) {
      conversation.reply(Reply.BAD_DATA);
      return;
    }
    value.set(in, start, length);
    conversation.onKey(held, storing);
  }

  private void storeBlock() {
    held.storeBy(this::store);
  }

  /** The current block. */
  final Block held() {
    return held;
  }
}

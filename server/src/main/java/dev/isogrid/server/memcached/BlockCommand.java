package dev.isogrid.server.memcached;

import dev.isogrid.server.net.ByteBufBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A command that is a line and then a block of bytes. For the connection's event loop, or the
 * thread that works for it meanwhile.
 */
abstract class BlockCommand {
  /** What ends a block of bytes. */
  static final int BLOCK_END_BYTES = 2;

  /** Longer blocks, with their end, would not have a length that fits into 32 bits. */
  static final int LENGTH_NUMBER_MAX = Integer.MAX_VALUE - BLOCK_END_BYTES;

  /** What comes after the line. */
  enum Next {
    /** Another command: this one was refused. */
    COMMAND,
    /** The block of bytes. */
    BLOCK,
    /** A block of bytes that is to be thrown away: {@link #refuse} says why. */
    REFUSED_BLOCK
  }

  final Conversation conversation;

  /** The block at hand, while it is stored. */
  final ByteBufBytes value = new ByteBufBytes();

  /** The largest item that is taken. */
  final ItemSize itemSize;

  /** The length of the block of bytes, without its end. */
  int length;

  private final Runnable storing = this::storeAndForget;

  /** The copy that {@link #value} shows if it does not show what came in. */
  private @Nullable ByteBuf kept;

  BlockCommand(Conversation conversation) {
    this.conversation = conversation;
    this.itemSize = conversation.endpoint.itemSize();
  }

  /** Takes the line, which is at its command; replies if it is refused without a block. */
  abstract Next begin(Command command);

  /** Replies to a line whose block is not wanted. */
  abstract void refuse();

  /** Does what the line says with {@link #value}, and replies. */
  abstract void store();

  /** What follows a line about the key at hand whose block would be a new item's value. */
  final Next block(int clientFlags) {
    boolean fits = itemSize.fits(length, conversation.key.length(), clientFlags);
    return fits ? Next.BLOCK : Next.REFUSED_BLOCK;
  }

  /** The length of the block of bytes, without its end. */
  final int length() {
    return length;
  }

  /**
   * Does what the line says with the block that begins at the reader's index; moves on after it.
   *
   * @param in has the whole block and its end; its bytes must stay until the command is done or
   *     {@link #keep} was called
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
    conversation.onKey(false, storing);
  }

  /** Copies the block, so that what came in is needed no more. */
  final void keep(ByteBufAllocator allocator) {
    if (kept == null && value.length() > 0) {
      ByteBuf copy = allocator.ioBuffer(value.length(), value.length());
      value.writeTo(copy);
      value.set(copy, 0, copy.readableBytes());
      kept = copy;
    }
  }

  /** The bytes of the block that is kept. */
  final int keptSize() {
    return value.length();
  }

  /** Forgets the block. */
  final void forget() {
    value.clear();
    ByteBuf copy = kept;
    if (copy != null) {
      kept = null;
      copy.release();
    }
  }

  private void storeAndForget() {
    try {
      store();
    } finally {
      forget();
    }
  }
}

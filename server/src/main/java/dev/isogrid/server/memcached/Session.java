package dev.isogrid.server.memcached;

import dev.isogrid.api.GridException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * One of memcached's protocols on one connection as a state machine: takes the input, appends the
 * replies to the output. For the connection's event loop. A command that may have to wait for other
 * nodes runs in {@link #doPostponed} on another thread, which owns the session meanwhile.
 */
abstract class Session {
  final Conversation conversation;

  Session(Conversation conversation) {
    this.conversation = conversation;
  }

  /**
   * Processes the next part of the input.
   *
   * @return false if there is nothing to do until more bytes arrive; check {@link #isPostponed} in
   *     any case
   */
  abstract boolean step(ByteBuf in);

  /** Whether the connection must be closed once the output is sent. */
  abstract boolean isClosing();

  /** Whether a postponed command waits for all commands before it, and all after it wait for it. */
  abstract boolean isAlone();

  /** The value of the current command. */
  abstract Block block();

  /** Replies to the unfinished command that it was given up. No more input is processed. */
  abstract void giveUp(GiveUp reason);

  /** Replies that a command failed. */
  abstract void answer(GridException failure);

  /** Drops unfinished and held replies, and a block. */
  void release() {
    conversation.output.drop();
    block().forget();
  }

  /** Whether the client must log in and has not. */
  final boolean isStranger() {
    return conversation.mustLogIn();
  }

  /** Whether a command waits for a thread that may block. */
  final boolean isPostponed() {
    return conversation.isPostponed();
  }

  /** The hash of the postponed command's key; none if it {@link #isAlone}. */
  final int keyHash() {
    return conversation.key.hash();
  }

  /** Copies the block, so that the postponed command does not need the input. */
  final void keepBlock(ByteBufAllocator allocator) {
    block().keep(allocator);
  }

  /** The bytes of the copied block. */
  final int keptSize() {
    return block().keptSize();
  }

  /** Holds further replies, since others come first or another thread makes them. */
  final void hold() {
    conversation.output.hold();
  }

  /** Passes on the held replies, and further ones. On the event loop. */
  final void passOn() {
    conversation.output.passOn();
  }

  /** The bytes of the held replies. */
  final long heldSize() {
    return conversation.output.heldSize();
  }

  /** Whether one more command may be answered. */
  final boolean hasRoom() {
    return conversation.output.hasRoom();
  }

  /** Runs the postponed command; on a thread that may block. */
  final void doPostponed() {
    try {
      conversation.doPostponed();
    } catch (GridException failure) {
      answer(failure);
    }
  }

  /** Ends the postponed command, done or not; on the event loop. */
  final void endPostponed() {
    conversation.endPostponed();
  }
}

package dev.isogrid.engine;

import dev.isogrid.cluster.Message;

/**
 * To all members: the sender asks for none of the session's operations up to a number again, in any
 * segment, so that nobody needs to remember them.
 *
 * @param last the last one of them
 */
record SessionDone(int epoch, OperationId last) implements Message {}

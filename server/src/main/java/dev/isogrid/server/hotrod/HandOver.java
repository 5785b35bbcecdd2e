package dev.isogrid.server.hotrod;

/**
 * The facts that the execution aside needs about a request.
 *
 * @param tellsState whether it is for a listener that receives the initial state of its cache
 * @param holdsBack whether the connection's later requests must not overtake it
 * @param storedCount the number of entries of a {@code PUT_ALL} that are stored already
 */
record HandOver(boolean tellsState, boolean holdsBack, int storedCount) {}

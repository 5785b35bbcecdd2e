package dev.isogrid.api;

/**
 * What the nodes of a grid agree with each other by: locks, semaphores and sequences, each with a
 * name.
 *
 * {@snippet :
 * FencedLock lock = grid.locks().lock("billing");
 * long fence = lock.lock();
 * try {
 *   storage.write(bill, fence); // refuses fences that are smaller than one it saw
 * } finally {
 *   lock.unlock();
 * }
 * }
 *
 * <p>Thread-safe. A name stands for one thing each: a lock, a semaphore and a sequence of the same
 * name have nothing to do with each other. They come to be when they are first used, and live as
 * long as a node of the cluster does.
 *
 * <p>What a node holds it holds on a lease of {@value #LEASE_MILLIS} ms, which is renewed in the
 * background. When a node dies, ends without giving something back, or can't reach the majority of
 * its cluster, what it held is free some {@code 2 * LEASE_MILLIS} later. A node that was paused for
 * longer may believe for a moment that it still holds what another one has by now; {@linkplain
 * FencedLock fences} tell the two apart.
 */
public interface Locks {
  /** How long a node holds what it does not renew. */
  long LEASE_MILLIS = 5_000;

  /** The longest name, in characters. */
  int NAME_LENGTH_MAX = 255;

  /** The most permits of a semaphore. */
  int PERMITS_MAX = 1_000_000;

  /** The most ids that a node takes at a time. */
  int BLOCK_MAX = 1_000_000_000;

  /**
   * The lock of a name.
   *
   * @param name 1 to {@value #NAME_LENGTH_MAX} characters
   * @throws InvalidRequestException if the name is not allowed
   */
  FencedLock lock(String name);

  /**
   * The semaphore of a name.
   *
   * @param name 1 to {@value #NAME_LENGTH_MAX} characters
   * @param permits how many permits it has, 1 to {@value #PERMITS_MAX}; the same number on all
   *     nodes
   * @throws InvalidRequestException if the name or the number is not allowed, or the semaphore has
   *     another number of permits already
   */
  DistributedSemaphore semaphore(String name, int permits);

  /**
   * The sequence of a name.
   *
   * @param name 1 to {@value #NAME_LENGTH_MAX} characters
   * @param block how many ids this node takes at a time, 1 to {@value #BLOCK_MAX}
   * @throws InvalidRequestException if the name or the number is not allowed
   */
  Sequence sequence(String name, int block);
}

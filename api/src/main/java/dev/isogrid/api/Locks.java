package dev.isogrid.api;

/**
 * Named locks, semaphores and sequences for all nodes of a grid.
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
 * <p>Thread-safe. A lock, a semaphore and a sequence of the same name are independent of each
 * other. Each is created by its first use, and exists as long as a node of the cluster does.
 *
 * <p>A node holds locks and permits by a lease of {@value #LEASE_MILLIS} ms, which is renewed in
 * the background. If a node dies, ends without a release, or can't reach the majority of its
 * cluster, they are free again about {@code 2 * LEASE_MILLIS} later. A node that was paused for
 * longer may believe for a moment that it still holds a lock that another one has by now;
 * {@linkplain FencedLock fences} tell the two apart.
 */
public interface Locks {
  /** The time for which a node holds a lock or permit that it does not renew. */
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
   * @param block how many ids this node takes at a time, 1 to {@value #BLOCK_MAX}; the same number
   *     in all calls on this node
   * @throws InvalidRequestException if the name or the number is not allowed, or this node uses the
   *     sequence with another number already
   */
  Sequence sequence(String name, int block);
}

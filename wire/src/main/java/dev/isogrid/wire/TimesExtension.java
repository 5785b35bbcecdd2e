package dev.isogrid.wire;

/**
 * The numbers of Isogrid's own extension of Hot Rod for exact times of entries. A server that has
 * it appends {@link #ANNOUNCEMENT} to the operations in its answer to a ping with {@link
 * SessionExtension#PING_FLAG} (from 3.0 on). On the connection of that ping, and on no other, a
 * client may then
 *
 * <ul>
 *   <li>give a lifespan the unit {@link ExpiryUnits#MOMENT}
 *   <li>give a request for an entry's metadata {@link #MILLIS_FLAG}. The block of metadata in the
 *       answer has the bit {@link HotRod#METADATA_MILLIS} then, and lifespan and max idle as vLong
 *       milliseconds instead of vInt seconds.
 * </ul>
 */
public final class TimesExtension {
  /** In the operations that an answer to a ping lists: the server has it. */
  public static final int ANNOUNCEMENT = 0x4954;

  /** In the flags of a getWithMetadata: times in milliseconds, please. */
  public static final int MILLIS_FLAG = 1 << 13;

  private TimesExtension() {}
}

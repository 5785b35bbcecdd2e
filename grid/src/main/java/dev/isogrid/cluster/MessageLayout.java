package dev.isogrid.cluster;

/** How a message is laid out in bytes. */
public final class MessageLayout {
  /*
   * All numbers are big-endian; a bool is one byte, 0 or 1; a node is its 128 bits.
   *
   *    offset  bytes  field
   *         0      1  version: that of the cluster, see Topology
   *         1      1  type, see below
   *         2      4  segment, 0 if the message is not of a segment
   *         6      4  epoch, 0 or more
   *        10      4  segment epoch, 0 or more; 0 if the message is not of a segment
   *        14      .  body, to the end of the message
   *
   *    type                  body
   *     0 offer              count 4, each: segment 4, node 16, nodes (predecessors), count 4,
   *                            each: cache 4, place 8;
   *                          count 4, each: segment 4, bool (has its copy); nodes (lives)
   *     1 heartbeat          sentNanos 8
   *     2 grant              sentNanos 8
   *     3 prepare            ballot, nodes (demoted)
   *     4 promise            ballot, ballot (accepted), bool, proposal if true
   *     5 accept             ballot, hasHeir bool, nodes (accepted), nodes (behind), proposal
   *     6 accepted           ballot, node 16, nodes (behind)
   *     7 wait               ballot
   *     8 outvoted           ballot, ballot (promised)
   *     9 learn              topology; the epoch is that of the header
   *    10 fetch              nothing
   *    11 join               node 16, profile
   *    12 leave              node 16, unleased bool
   *    13 add in-sync        node 16
   *    14 drain              nothing
   *    15 released           node 16
   *    16 seed here          list 8, position 4, reaches 4
   *    17 bid                attempt 8
   *    18 vote               attempt 8
   *    19 withdraw           attempt 8
   *    20 define             lastCacheId 4, name, group, versionEpoch 4, text
   *    21 undefine           id 4, name
   *    22 suspect            node 16
   *    23 unreached          primary 16, node 16
   *    24 pause              changes 4, group 4 (or FFFFFFFF), bool
   *    25 restart lost       group 4, inEpoch 4
   *    26 name taken         seat
   *    27 returned           former 16, origin, lastEpoch 4
   *    28 recall             nothing
   *    29 recollection       memory, count 4, each: cache 4, count 4, each: place 8
   *    30 recover            attempt 8, nodes (without)
   *    31 recoverable        attempt 8, text, ballot (accepted), bool, proposal if true
   *    32 limit copies       changes 4, bytes per second 8
   *    40 and above          messages of segments, see SegmentLayout of the engine
   *
   *    part                  layout
   *    ballot                round 4, node 16
   *    nodes                 count 2, each 16
   *    text                  length 2, UTF-8
   *    bytes                 length 4, the bytes
   *    profile               name, capacity 4 (float), zone, endpoint, seat, oldest and newest
   *                            version that the node speaks, 1 each
   *    proposal              epoch 4, topology, count 4, segments that were released 4 each, rising
   *    group                 owners 4, segments 4, async bool, stored bool
   *    topology              table of all nodes in it: count 2, each 16
   *                          members: count 2, each: node 2 (place in the table), joinedEpoch 4,
   *                            profile
   *                          voters: count 1, each 2 (place)
   *                          groups: count 4, each: group
   *                          segments of all groups, each: segEpoch 4, primary 2 (place, or FFFF),
   *                            in-sync count 1, each 2, learners count 1, each 2
   *                          caches: count 4, each: id 4, name, group 4, versionEpoch 4, text
   *                          lastCacheId 4
   *                          pauses: changes 4, all bool, count 4, each: group 4, rising,
   *                            bytes per second 8
   *                          origin
   *    origin                identity 16, epoch 4, restarts 1
   *    memory                node 16, nodes (former), count 4, each: segment 4, nodes
   *                            (predecessors); epoch 4, topology, ballot (accepted), bool,
   *                            proposal if true
   *
   * There is no checksum: the transport's is relied on, and what is decoded is checked for sense.
   *
   * This is version 14. Versions 12 and 13 have no predecessors, lives and traced calls. Version
   * 13 has one type of segments' messages more than version 12. Memories of clusters may be of
   * version 11: they have no versions in profiles and no bytes per second in pauses.
   *
   * A receiver that does not speak the version drops the message and answers with bytes that all
   * versions understand: 0, where the version is else, then the newest and the oldest version that
   * it speaks. Bytes that may follow are left alone.
   */

  /** In the place of a version: the next bytes are the versions of the sender. */
  static final int OTHER_VERSION = 0;

  /** The length of what comes before the body. */
  public static final int HEADER_BYTES = 14;

  /** The longest message; above the largest value (10 MiB) and a chunk of them of usual size. */
  public static final int MESSAGE_BYTES_MAX = 64 << 20;

  /** Nodes that a topology or a set can name: all places but the one that means nobody. */
  static final int NODES_MAX = 0xFFFF;

  /** The place in the table that means nobody. */
  static final int NOBODY = 0xFFFF;

  /** The first type of the messages of segments. */
  public static final int FIRST_SEGMENT_TYPE = 40;

  private static final int TYPE_OFFSET = 1;

  private MessageLayout() {}

  /** The type in a header, or -1 if there is no header. */
  public static int type(byte[] array, int offset, int length) {
    return length < HEADER_BYTES ? -1 : array[offset + TYPE_OFFSET] & 0xFF;
  }
}

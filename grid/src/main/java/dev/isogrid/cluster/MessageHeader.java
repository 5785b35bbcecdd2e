package dev.isogrid.cluster;

import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;

/**
 * The beginning of each message.
 *
 * @param type one of {@link MessageLayout}
 * @param epoch 0 or more
 * @param segment 0 if the message is not of a segment
 * @param segEpoch 0 if the message is not of a segment
 */
public record MessageHeader(int type, int epoch, int segment, int segEpoch) {
  /** Checks the ranges. */
  public MessageHeader {
    boolean isOk =
        type >= 0
            && type <= 0xFF
            && epoch >= 0
            && segEpoch >= 0
            && segment >= 0
            && segment < Topology.SEGMENTS_MAX;
    if (!isOk) {
      throw new IllegalArgumentException(
          "invalid header: type=%d, epoch=%d, segment=%d, segEpoch=%d"
              .formatted(type, epoch, segment, segEpoch));
    }
  }

  /** The header of a message that is not of a segment. */
  static MessageHeader of(int type, int epoch) {
    return new MessageHeader(type, epoch, 0, 0);
  }

  /**
   * Reads it.
   *
   * @param speaks the versions that this node reads
   */
  public static MessageHeader read(MessageReader in, ProtocolVersions speaks)
      throws MalformedMessageException {
    int version = in.unsignedByte("version");
    if (!speaks.include(version)) {
      throw new OtherVersionException(version, speaks);
    }
    in.version(version);
    int type = in.unsignedByte("type");
    int segment = in.count32("segment", Topology.SEGMENTS_MAX - 1);
    int epoch = in.count32("epoch", Integer.MAX_VALUE);
    return new MessageHeader(type, epoch, segment, in.count32("segEpoch", Integer.MAX_VALUE));
  }

  /** Writes it, in the version of the writer. */
  public void write(MessageWriter out) {
    out.putByte(out.version());
    out.putByte(type);
    out.putInt(segment);
    out.putInt(epoch);
    out.putInt(segEpoch);
  }
}

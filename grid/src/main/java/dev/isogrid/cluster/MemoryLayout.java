package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** How a {@link Memory} is laid out in a file, and in messages. */
public final class MemoryLayout {
  /*
   *    offset  bytes  field
   *         0      8  "ISOGRIDM"
   *         8      4  version: 4; 3 without predecessors, as version 12 of the protocol has it; 2
   *                   as version 11 has it
   *        12      4  CRC32C of all that follows
   *        16      .  memory, to the end of the file; see MessageLayout
   *
   * Numbers are big-endian.
   */
  private static final long MAGIC = 0x49534F475249444DL;
  private static final int VERSION = 4;

  /** By version of a file from the oldest one on, the version of the protocol. */
  private static final int[] PROTOCOLS = {
    ProtocolVersions.UNTOLD, 12, ProtocolVersions.PREDECESSORS
  };

  private static final int VERSION_OLDEST = VERSION - PROTOCOLS.length + 1;

  /** What earlier builds can read: the version of a memory without predecessors. */
  private static final int VERSION_PLAIN = 3;

  private static final int FILE_VERSION = 8;
  private static final int FILE_CRC = 12;
  private static final int FILE_MEMORY = 16;

  private MemoryLayout() {}

  /** Returns the bytes of a file. */
  public static byte[] toBytes(Memory memory) {
    MessageWriter out = new MessageWriter();
    int version = memory.predecessors().isEmpty() ? VERSION_PLAIN : VERSION;
    out.version(protocol(version));
    out.putLong(MAGIC);
    out.putInt(version);
    out.putInt(0);
    write(memory, out);
    byte[] bytes = out.toByteArray();
    ByteBuffer.wrap(bytes).putInt(FILE_CRC, crc(bytes));
    return bytes;
  }

  private static int protocol(int version) {
    return PROTOCOLS[version - VERSION_OLDEST];
  }

  /**
   * Returns what a file says.
   *
   * @throws MalformedMessageException if it is damaged, or of another format
   */
  public static Memory fromBytes(byte[] bytes) throws MalformedMessageException {
    ByteBuffer view = ByteBuffer.wrap(bytes);
    boolean isWhole =
        bytes.length > FILE_MEMORY
            && view.getLong(0) == MAGIC
            && view.getInt(FILE_CRC) == crc(bytes);
    if (!isWhole) {
      throw new MalformedMessageException("no memory of a cluster, or a damaged one");
    }
    int version = view.getInt(FILE_VERSION);
    if (version < VERSION_OLDEST || version > VERSION) {
      throw new MalformedMessageException(
          "unknown format: format=%d, known=%d to %d".formatted(version, VERSION_OLDEST, VERSION));
    }
    try {
      MessageReader in = new MessageReader(bytes, FILE_MEMORY, bytes.length - FILE_MEMORY);
      in.version(protocol(version));
      Memory memory = read(in);
      in.end();
      return memory;
    } catch (IllegalArgumentException invalid) {
      throw new MalformedMessageException("malformed memory: " + invalid.getMessage());
    }
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, FILE_MEMORY, bytes.length - FILE_MEMORY);
    return (int) crc.getValue();
  }

  private static void write(Memory memory, MessageWriter out) {
    out.putNode(memory.self());
    out.putNodes(memory.former());
    if (out.version() >= ProtocolVersions.PREDECESSORS) {
      out.putInt(memory.predecessors().size());
      new TreeMap<>(memory.predecessors())
          .forEach((segment, nodes) -> {
            out.putInt(segment);
            out.putNodes(nodes);
          });
    }
    out.putInt(memory.topology().epoch());
    TopologyLayout.write(memory.topology(), out);
    MembershipCodec.write(memory.acceptedBallot(), out);
    Proposal accepted = memory.accepted();
    out.putBoolean(accepted != null);
    if (accepted != null) {
      TopologyLayout.write(accepted, out);
    }
  }

  private static Memory read(MessageReader in) throws MalformedMessageException {
    NodeId self = in.node("self");
    List<NodeId> former = in.nodes("former");
    Map<Integer, List<NodeId>> predecessors = new HashMap<>();
    if (in.version() >= ProtocolVersions.PREDECESSORS) {
      int segments = in.countOf("predecessors", Integer.BYTES + Short.BYTES);
      for (int i = 0; i < segments; i++) {
        int segment = in.count32("segment", Topology.SEGMENTS_MAX - 1);
        predecessors.put(segment, in.nodes("predecessors"));
      }
    }
    Topology topology = TopologyLayout.readTopology(in, in.count32("epoch", Integer.MAX_VALUE));
    Ballot ballot = MembershipCodec.ballot(in);
    Proposal accepted = in.bool("accepted") ? TopologyLayout.readProposal(in) : null;
    return new Memory(self, former, predecessors, topology, ballot, accepted);
  }

  static void write(Recollection told, MessageWriter out) {
    write(told.memory(), out);
    out.putInt(told.places().size());
    new TreeMap<>(told.places())
        .forEach((cache, places) -> {
          out.putInt(cache);
          out.putInt(places.size());
          places.forEach(out::putLong);
        });
  }

  static Recollection readRecollection(MessageReader in) throws MalformedMessageException {
    Memory memory = read(in);
    int caches = in.countOf("caches", 2 * Integer.BYTES);
    Map<Integer, List<Long>> places = new HashMap<>();
    for (int i = 0; i < caches; i++) {
      int cache = in.int32("cache");
      int count = in.countOf("places", Long.BYTES);
      List<Long> ofCache = new ArrayList<>(count);
      for (int index = 0; index < count; index++) {
        ofCache.add(in.int64("place"));
      }
      places.put(cache, List.copyOf(ofCache));
    }
    return new Recollection(memory, places);
  }
}

package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.Pauses;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Topologies and proposals as {@link MessageLayout} has them: nodes by their place in a table. */
final class TopologyLayout {
  private static final int MEMBER_BYTES_MIN = 16;
  private static final int GROUP_BYTES = 10;
  private static final int CACHE_BYTES_MIN = 16;
  private static final int SEGMENT_BYTES_MIN = 11; // with the one replica that there must be
  private static final int PLACE_BYTES = 2;

  private TopologyLayout() {}

  static void write(Proposal proposal, MessageWriter out) {
    out.putInt(proposal.topology().epoch());
    write(proposal.topology(), out);
    out.putInt(proposal.released().size());
    for (int segment : new TreeSet<>(proposal.released())) {
      out.putInt(segment);
    }
  }

  static Proposal readProposal(MessageReader in) throws MalformedMessageException {
    int epoch = in.count32("epoch", Integer.MAX_VALUE);
    Topology topology = readTopology(in, epoch);
    int count = in.countOf("released", Integer.BYTES);
    Set<Integer> released = new HashSet<>();
    int before = -1;
    for (int i = 0; i < count; i++) {
      int segment = in.int32("released");
      if (segment <= before || segment >= topology.segments().size()) {
        throw in.malformed("released", segment, "expected rising numbers of segments");
      }
      released.add(segment);
      before = segment;
    }
    return new Proposal(topology, released);
  }

  static void write(Topology topology, MessageWriter out) {
    Map<NodeId, Integer> places = places(topology);
    out.putNodes(places.keySet());
    out.putShort(topology.members().size());
    for (Member member : topology.members()) {
      out.putShort(place(places, member.id()));
      out.putInt(member.joinedEpoch());
      out.putInt(member.profileEpoch());
      write(member.profile(), out);
    }
    writePlaces(places, topology.voters(), out);
    out.putInt(topology.groups().size());
    for (CacheGroup group : topology.groups()) {
      write(group, out);
    }
    for (SegmentOwners segment : topology.segments()) {
      NodeId primary = segment.primary();
      out.putInt(segment.segEpoch());
      out.putShort(primary == null ? MessageLayout.NOBODY : place(places, primary));
      writePlaces(places, segment.isr(), out);
      writePlaces(places, segment.learners(), out);
      out.putByte(segment.restarts());
    }
    out.putInt(topology.caches().size());
    for (CacheDefinition cache : topology.caches()) {
      out.putInt(cache.id());
      out.putText(cache.name());
      out.putInt(cache.group());
      out.putInt(cache.versionEpoch());
      out.putText(cache.config());
    }
    out.putInt(topology.lastCacheId());
    write(topology.pauses(), out);
    write(topology.origin(), out);
  }

  static void write(Origin origin, MessageWriter out) {
    out.putLong(origin.high());
    out.putLong(origin.low());
    out.putInt(origin.epoch());
    out.putByte(origin.restarts());
  }

  static Origin readOrigin(MessageReader in) throws MalformedMessageException {
    long high = in.int64("identity");
    long low = in.int64("identity");
    int epoch = in.count32("originEpoch", Integer.MAX_VALUE);
    return new Origin(high, low, epoch, in.unsignedByte("originRestarts"));
  }

  private static void write(Pauses pauses, MessageWriter out) {
    out.putInt(pauses.changes());
    out.putBoolean(pauses.all());
    out.putInt(pauses.groups().size());
    pauses.groups().forEach(out::putInt);
    out.putLong(pauses.bytesPerSecondMax());
  }

  private static Pauses readPauses(MessageReader in) throws MalformedMessageException {
    int changes = in.count32("changes", Integer.MAX_VALUE);
    boolean all = in.bool("all");
    int count = in.countOf("paused", Integer.BYTES);
    Set<Integer> groups = new HashSet<>();
    int before = -1;
    for (int i = 0; i < count; i++) {
      int group = in.int32("paused");
      if (group <= before) {
        throw in.malformed("paused", group, "expected rising numbers of groups");
      }
      groups.add(group);
      before = group;
    }
    boolean hasSpeed = in.version() > ProtocolVersions.UNTOLD;
    return new Pauses(
        changes, all, groups, hasSpeed ? in.count64("bytesPerSecond") : Pauses.AS_CONFIGURED);
  }

  static void write(MemberProfile profile, MessageWriter out) {
    out.putText(profile.name());
    out.putFloat(profile.capacity());
    out.putText(profile.zone());
    out.putText(profile.endpoint());
    out.putText(profile.seat());
    out.putByte(profile.speaks().oldest());
    out.putByte(profile.speaks().newest());
  }

  static MemberProfile readProfile(MessageReader in) throws MalformedMessageException {
    String name = in.text("name");
    float capacity = in.float32("capacity");
    String zone = in.text("zone");
    String endpoint = in.text("endpoint");
    String seat = in.text("seat");
    return new MemberProfile(name, capacity, zone, endpoint, seat, readVersions(in));
  }

  private static ProtocolVersions readVersions(MessageReader in) throws MalformedMessageException {
    if (in.version() <= ProtocolVersions.UNTOLD) {
      return ProtocolVersions.only(in.version());
    }
    int oldest = in.unsignedByte("oldest");
    return new ProtocolVersions(oldest, in.unsignedByte("newest"));
  }

  private static Map<NodeId, Integer> places(Topology topology) {
    Map<NodeId, Integer> places = new LinkedHashMap<>();
    topology.members().forEach(member -> places.putIfAbsent(member.id(), places.size()));
    topology.voters().forEach(node -> places.putIfAbsent(node, places.size()));
    for (SegmentOwners segment : topology.segments()) {
      segment.isr().forEach(node -> places.putIfAbsent(node, places.size()));
      segment.learners().forEach(node -> places.putIfAbsent(node, places.size()));
    }
    return places;
  }

  private static int place(Map<NodeId, Integer> places, NodeId node) {
    Integer place = places.get(node);
    if (place == null) {
      throw new IllegalStateException("no place in the table: node=" + node);
    }
    return place;
  }

  private static void writePlaces(
      Map<NodeId, Integer> places, List<NodeId> nodes, MessageWriter out) {
    out.putByte(MessageWriter.checked("copies", nodes.size(), SegmentOwners.COPIES_MAX));
    nodes.forEach(node -> out.putShort(place(places, node)));
  }

  static Topology readTopology(MessageReader in, int epoch) throws MalformedMessageException {
    List<NodeId> nodes = in.nodes("nodes");
    int memberCount = in.fitting("members", in.unsignedShort("members"), MEMBER_BYTES_MIN);
    List<Member> members = new ArrayList<>(memberCount);
    for (int i = 0; i < memberCount; i++) {
      NodeId node = readPlace(in, nodes);
      int joinedEpoch = in.count32("joinedEpoch", Integer.MAX_VALUE);
      members.add(
          new Member(
              node, joinedEpoch, in.count32("profileEpoch", Integer.MAX_VALUE), readProfile(in)));
    }
    List<NodeId> voters = readPlaces(in, nodes);
    List<CacheGroup> groups = readGroups(in);
    List<SegmentOwners> segments = readSegments(in, nodes, groups);
    List<CacheDefinition> caches = readCaches(in);
    int lastCacheId = in.count32("lastCacheId", Integer.MAX_VALUE);
    Pauses pauses = readPauses(in);
    return new Topology(
        epoch, members, voters, groups, segments, caches, lastCacheId, pauses, readOrigin(in));
  }

  private static List<CacheGroup> readGroups(MessageReader in) throws MalformedMessageException {
    int count = in.countOf("groups", GROUP_BYTES);
    List<CacheGroup> groups = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      groups.add(readGroup(in));
    }
    return groups;
  }

  static void write(CacheGroup group, MessageWriter out) {
    out.putInt(group.owners());
    out.putInt(group.segmentCount());
    out.putBoolean(group.isAsync());
    out.putBoolean(group.isStored());
  }

  static CacheGroup readGroup(MessageReader in) throws MalformedMessageException {
    int owners = in.int32("owners");
    int segmentCount = in.int32("segments");
    return new CacheGroup(owners, segmentCount, in.bool("async"), in.bool("stored"));
  }

  private static List<SegmentOwners> readSegments(
      MessageReader in, List<NodeId> nodes, List<CacheGroup> groups)
      throws MalformedMessageException {
    long sum = groups.stream().mapToLong(CacheGroup::segmentCount).sum();
    if (sum > Topology.SEGMENTS_MAX) {
      throw in.malformed("segments", sum, "max=" + Topology.SEGMENTS_MAX);
    }
    int count = in.fitting("segments", (int) sum, SEGMENT_BYTES_MIN);
    List<SegmentOwners> segments = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      segments.add(readSegment(in, nodes));
    }
    return segments;
  }

  private static List<CacheDefinition> readCaches(MessageReader in)
      throws MalformedMessageException {
    int count = in.countOf("caches", CACHE_BYTES_MIN);
    List<CacheDefinition> caches = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int id = in.int32("id");
      String name = in.text("name");
      int group = in.int32("group");
      int versionEpoch = in.int32("versionEpoch");
      caches.add(new CacheDefinition(id, name, group, versionEpoch, in.text("config")));
    }
    return caches;
  }

  private static SegmentOwners readSegment(MessageReader in, List<NodeId> nodes)
      throws MalformedMessageException {
    int segEpoch = in.count32("segEpoch", Integer.MAX_VALUE);
    int primary = in.unsignedShort("primary");
    NodeId node = primary == MessageLayout.NOBODY ? null : at(in, nodes, primary);
    List<NodeId> isr = readPlaces(in, nodes);
    List<NodeId> learners = readPlaces(in, nodes);
    return new SegmentOwners(segEpoch, node, isr, learners, in.unsignedByte("restarts"));
  }

  private static List<NodeId> readPlaces(MessageReader in, List<NodeId> nodes)
      throws MalformedMessageException {
    int count = in.fitting("copies", in.unsignedByte("copies"), PLACE_BYTES);
    List<NodeId> read = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      read.add(readPlace(in, nodes));
    }
    return read;
  }

  private static NodeId readPlace(MessageReader in, List<NodeId> nodes)
      throws MalformedMessageException {
    return at(in, nodes, in.unsignedShort("place"));
  }

  private static NodeId at(MessageReader in, List<NodeId> nodes, int place)
      throws MalformedMessageException {
    if (place >= nodes.size()) {
      throw in.malformed("place", place, "nodes in the table: " + nodes.size());
    }
    return nodes.get(place);
  }
}

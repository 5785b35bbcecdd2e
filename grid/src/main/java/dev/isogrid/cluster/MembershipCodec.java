package dev.isogrid.cluster;

import dev.isogrid.cluster.MembershipMessage.Accept;
import dev.isogrid.cluster.MembershipMessage.Accepted;
import dev.isogrid.cluster.MembershipMessage.AddIsr;
import dev.isogrid.cluster.MembershipMessage.Bid;
import dev.isogrid.cluster.MembershipMessage.Define;
import dev.isogrid.cluster.MembershipMessage.Drain;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.Grant;
import dev.isogrid.cluster.MembershipMessage.Heartbeat;
import dev.isogrid.cluster.MembershipMessage.Join;
import dev.isogrid.cluster.MembershipMessage.Learn;
import dev.isogrid.cluster.MembershipMessage.Leave;
import dev.isogrid.cluster.MembershipMessage.LimitCopies;
import dev.isogrid.cluster.MembershipMessage.NameTaken;
import dev.isogrid.cluster.MembershipMessage.Offer;
import dev.isogrid.cluster.MembershipMessage.OtherVersion;
import dev.isogrid.cluster.MembershipMessage.Outvoted;
import dev.isogrid.cluster.MembershipMessage.Pause;
import dev.isogrid.cluster.MembershipMessage.Prepare;
import dev.isogrid.cluster.MembershipMessage.Promise;
import dev.isogrid.cluster.MembershipMessage.Proposal;
import dev.isogrid.cluster.MembershipMessage.Recall;
import dev.isogrid.cluster.MembershipMessage.Recollection;
import dev.isogrid.cluster.MembershipMessage.Recover;
import dev.isogrid.cluster.MembershipMessage.Recoverable;
import dev.isogrid.cluster.MembershipMessage.Released;
import dev.isogrid.cluster.MembershipMessage.RestartLost;
import dev.isogrid.cluster.MembershipMessage.Returned;
import dev.isogrid.cluster.MembershipMessage.SeedHere;
import dev.isogrid.cluster.MembershipMessage.Suspect;
import dev.isogrid.cluster.MembershipMessage.Undefine;
import dev.isogrid.cluster.MembershipMessage.Unreached;
import dev.isogrid.cluster.MembershipMessage.Vote;
import dev.isogrid.cluster.MembershipMessage.Wait;
import dev.isogrid.cluster.MembershipMessage.Withdraw;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.CacheRequest;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Origin;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Encodes what nodes tell each other of members, leases and the next topology. Thread-safe. */
public final class MembershipCodec implements MessageCodec {
  private static final int OFFER = 0;
  private static final int HEARTBEAT = 1;
  private static final int GRANT = 2;
  private static final int PREPARE = 3;
  private static final int PROMISE = 4;
  private static final int ACCEPT = 5;
  private static final int ACCEPTED = 6;
  private static final int WAIT = 7;
  private static final int OUTVOTED = 8;
  private static final int LEARN = 9;
  private static final int FETCH = 10;
  private static final int JOIN = 11;
  private static final int LEAVE = 12;
  private static final int ADD_ISR = 13;
  private static final int DRAIN = 14;
  private static final int RELEASED = 15;
  private static final int SEED_HERE = 16;
  private static final int BID = 17;
  private static final int VOTE = 18;
  private static final int WITHDRAW = 19;
  private static final int DEFINE = 20;
  private static final int UNDEFINE = 21;
  private static final int SUSPECT = 22;
  private static final int UNREACHED = 23;
  private static final int PAUSE = 24;
  private static final int RESTART_LOST = 25;
  private static final int NAME_TAKEN = 26;
  private static final int RETURNED = 27;
  private static final int RECALL = 28;
  private static final int RECOLLECTION = 29;
  private static final int RECOVER = 30;
  private static final int RECOVERABLE = 31;
  private static final int LIMIT_COPIES = 32;

  private final ProtocolVersions speaks;

  // written by: the thread that learns a topology
  private volatile int written;

  /** Makes a codec of the versions of this build. */
  public MembershipCodec() {
    this(ProtocolVersions.OF_BUILD);
  }

  /** Makes a codec of some versions, which writes the oldest at first. */
  public MembershipCodec(ProtocolVersions speaks) {
    this.speaks = speaks;
    this.written = speaks.oldest();
  }

  @Override
  public ProtocolVersions speaks() {
    return speaks;
  }

  @Override
  public void write(int version) {
    if (!speaks.include(version)) {
      throw new IllegalArgumentException(
          "version of the protocol unknown: version=%d, speaks=%s".formatted(version, speaks));
    }
    written = version;
  }

  /** The version in which messages are written now. */
  public int written() {
    return written;
  }

  @Override
  public void encode(Message message, MessageWriter out) {
    if (!(message instanceof MembershipMessage known)) {
      throw new IllegalArgumentException("no message of the membership: " + message.getClass());
    }
    if (known instanceof OtherVersion other) {
      out.putByte(MessageLayout.OTHER_VERSION);
      out.putByte(other.speaks().newest());
      out.putByte(other.speaks().oldest());
      return;
    }
    out.version(written);
    header(known).write(out);
    writeBody(known, out);
  }

  @Override
  public boolean isStream(Message message) {
    return false;
  }

  private static MessageHeader header(MembershipMessage message) {
    int epoch = message.epoch();
    return switch (message) {
      case Heartbeat _ -> MessageHeader.of(HEARTBEAT, epoch);
      case Grant _ -> MessageHeader.of(GRANT, epoch);
      case Prepare _ -> MessageHeader.of(PREPARE, epoch);
      case Promise _ -> MessageHeader.of(PROMISE, epoch);
      case Accept _ -> MessageHeader.of(ACCEPT, epoch);
      case Accepted _ -> MessageHeader.of(ACCEPTED, epoch);
      case Wait _ -> MessageHeader.of(WAIT, epoch);
      case Outvoted _ -> MessageHeader.of(OUTVOTED, epoch);
      case Learn _ -> MessageHeader.of(LEARN, epoch);
      case Fetch _ -> MessageHeader.of(FETCH, epoch);
      case Join _ -> MessageHeader.of(JOIN, epoch);
      case Leave _ -> MessageHeader.of(LEAVE, epoch);
      case AddIsr asked -> new MessageHeader(ADD_ISR, epoch, asked.segment(), asked.segEpoch());
      case Drain drain -> new MessageHeader(DRAIN, epoch, drain.segment(), drain.segEpoch());
      case Released given -> new MessageHeader(RELEASED, epoch, given.segment(), given.segEpoch());
      case SeedHere _ -> MessageHeader.of(SEED_HERE, epoch);
      case Bid _ -> MessageHeader.of(BID, epoch);
      case Vote _ -> MessageHeader.of(VOTE, epoch);
      case Withdraw _ -> MessageHeader.of(WITHDRAW, epoch);
      case Define _ -> MessageHeader.of(DEFINE, epoch);
      case Undefine _ -> MessageHeader.of(UNDEFINE, epoch);
      case Suspect _ -> MessageHeader.of(SUSPECT, epoch);
      case Unreached _ -> MessageHeader.of(UNREACHED, epoch);
      case Pause _ -> MessageHeader.of(PAUSE, epoch);
      case RestartLost _ -> MessageHeader.of(RESTART_LOST, epoch);
      case LimitCopies _ -> MessageHeader.of(LIMIT_COPIES, epoch);
      case NameTaken _ -> MessageHeader.of(NAME_TAKEN, epoch);
      case Returned _ -> MessageHeader.of(RETURNED, epoch);
      case Recall _ -> MessageHeader.of(RECALL, epoch);
      case Recollection _ -> MessageHeader.of(RECOLLECTION, epoch);
      case Recover _ -> MessageHeader.of(RECOVER, epoch);
      case Recoverable _ -> MessageHeader.of(RECOVERABLE, epoch);
      case Offer _ -> MessageHeader.of(OFFER, epoch);
      case OtherVersion _ -> throw new IllegalStateException("it has no header: " + message);
    };
  }

  private static void writeBody(MembershipMessage message, MessageWriter out) {
    switch (message) {
      case Heartbeat heartbeat -> {
        out.putLong(heartbeat.sentNanos());
        out.putNodes(new TreeSet<>(heartbeat.silent()));
      }
      case Grant grant -> out.putLong(grant.sentNanos());
      case Prepare prepare -> {
        write(prepare.ballot(), out);
        out.putNodes(new TreeSet<>(prepare.demoted()));
      }
      case Promise promise -> write(promise, out);
      case Accept accept -> write(accept, out);
      case Accepted accepted -> {
        write(accepted.ballot(), out);
        out.putNode(accepted.voter());
        out.putNodes(new TreeSet<>(accepted.behind()));
      }
      case Wait wait -> write(wait.ballot(), out);
      case Outvoted outvoted -> {
        write(outvoted.ballot(), out);
        write(outvoted.promised(), out);
      }
      case Learn learn -> TopologyLayout.write(learn.topology(), out);
      case Join join -> {
        out.putNode(join.node());
        TopologyLayout.write(join.profile(), out);
      }
      case Leave leave -> {
        out.putNode(leave.node());
        out.putBoolean(leave.isUnleased());
      }
      case AddIsr asked -> out.putNode(asked.learner());
      case Released given -> out.putNode(given.node());
      case Fetch _, Drain _, Recall _, OtherVersion _ -> {
        // The header says it all.
      }
      case SeedHere here -> {
        out.putLong(here.list());
        out.putInt(here.position());
        out.putInt(here.reaches());
      }
      case Bid bid -> out.putLong(bid.attempt());
      case Vote vote -> out.putLong(vote.attempt());
      case Withdraw withdraw -> out.putLong(withdraw.attempt());
      case Define define -> write(define, out);
      case Suspect suspect -> out.putNode(suspect.node());
      case Unreached unreached -> {
        out.putNode(unreached.primary());
        out.putNode(unreached.node());
      }
      case Pause pause -> write(pause, out);
      case LimitCopies limit -> write(limit, out);
      case NameTaken taken -> out.putText(taken.seat());
      case Returned returned -> write(returned, out);
      case Recollection told -> MemoryLayout.write(told, out);
      case RestartLost restart -> {
        out.putInt(restart.group());
        out.putInt(restart.inEpoch());
      }
      case Undefine undefine -> {
        out.putInt(undefine.id());
        out.putText(undefine.name());
      }
      case Recover recover -> write(recover, out);
      case Recoverable recoverable -> write(recoverable, out);
      case Offer offer -> write(offer, out);
    }
  }

  private static void write(Recover recover, MessageWriter out) {
    out.putLong(recover.attempt());
    out.putNodes(new TreeSet<>(recover.without()));
  }

  private static void write(Recoverable recoverable, MessageWriter out) {
    out.putLong(recoverable.attempt());
    out.putText(recoverable.refusal());
    write(recoverable.acceptedBallot(), recoverable.accepted(), out);
  }

  private static void write(Offer offer, MessageWriter out) {
    boolean hasPredecessors = out.version() >= ProtocolVersions.PREDECESSORS;
    out.putInt(offer.held().size());
    new TreeMap<>(offer.held())
        .forEach((segment, held) -> {
          out.putInt(segment);
          out.putNode(held.former());
          if (hasPredecessors) {
            out.putNodes(held.predecessors());
          }
          out.putInt(held.places().size());
          new TreeMap<>(held.places())
              .forEach((cache, place) -> {
                out.putInt(cache);
                out.putLong(place);
              });
        });
    out.putInt(offer.own().size());
    new TreeMap<>(offer.own())
        .forEach((segment, hasCopy) -> {
          out.putInt(segment);
          out.putBoolean(hasCopy);
        });
    if (hasPredecessors) {
      out.putNodes(offer.lives());
    }
  }

  private static Offer offer(int epoch, MessageReader in) throws MalformedMessageException {
    boolean hasPredecessors = in.version() >= ProtocolVersions.PREDECESSORS;
    int segments = in.countOf("segments", 2 * Integer.BYTES);
    Map<Integer, Offer.Held> held = new HashMap<>();
    for (int i = 0; i < segments; i++) {
      int segment = in.count32("segment", Topology.SEGMENTS_MAX - 1);
      NodeId former = in.node("former");
      List<NodeId> predecessors = hasPredecessors ? in.nodes("predecessors") : List.of();
      int caches = in.countOf("caches", Integer.BYTES + Long.BYTES);
      Map<Integer, Long> places = new HashMap<>();
      for (int j = 0; j < caches; j++) {
        places.put(in.int32("cache"), in.int64("place"));
      }
      held.put(segment, new Offer.Held(former, places, predecessors));
    }
    int waiting = in.countOf("waiting", Integer.BYTES + 1);
    Map<Integer, Boolean> own = new HashMap<>();
    for (int i = 0; i < waiting; i++) {
      own.put(in.count32("segment", Topology.SEGMENTS_MAX - 1), in.bool("copy"));
    }
    return new Offer(epoch, held, own, hasPredecessors ? in.nodes("lives") : List.of());
  }

  private static void write(Pause pause, MessageWriter out) {
    out.putInt(pause.changes());
    out.putInt(pause.group());
    out.putBoolean(pause.isPaused());
  }

  private static void write(LimitCopies limit, MessageWriter out) {
    out.putInt(limit.changes());
    out.putLong(limit.bytesPerSecondMax());
  }

  private static LimitCopies limitCopies(int epoch, MessageReader in)
      throws MalformedMessageException {
    int changes = in.count32("changes", Integer.MAX_VALUE);
    return new LimitCopies(epoch, changes, in.count64("bytesPerSecond"));
  }

  private static void write(Accept accept, MessageWriter out) {
    write(accept.ballot(), out);
    out.putBoolean(accept.hasHeir());
    out.putNodes(new TreeSet<>(accept.accepted()));
    out.putNodes(new TreeSet<>(accept.behind()));
    TopologyLayout.write(accept.proposal(), out);
  }

  private static void write(Returned returned, MessageWriter out) {
    out.putNode(returned.former());
    TopologyLayout.write(returned.origin(), out);
    out.putInt(returned.lastEpoch());
  }

  private static void write(Define define, MessageWriter out) {
    CacheRequest request = define.request();
    out.putInt(define.lastCacheId());
    out.putText(request.name());
    TopologyLayout.write(request.group(), out);
    out.putInt(request.versionEpoch());
    out.putText(request.config());
  }

  static void write(Ballot ballot, MessageWriter out) {
    out.putInt(ballot.round());
    out.putNode(ballot.node());
  }

  private static void write(Promise promise, MessageWriter out) {
    write(promise.ballot(), out);
    write(promise.acceptedBallot(), promise.accepted(), out);
  }

  private static void write(Ballot acceptedBallot, @Nullable Proposal accepted, MessageWriter out) {
    write(acceptedBallot, out);
    out.putBoolean(accepted != null);
    if (accepted != null) {
      TopologyLayout.write(accepted, out);
    }
  }

  @Override
  public MembershipMessage decode(byte[] array, int offset, int length)
      throws MalformedMessageException {
    MessageReader in = new MessageReader(array, offset, length);
    try {
      MembershipMessage message =
          isOfAllVersions(array, offset, length)
              ? otherVersion(in)
              : read(MessageHeader.read(in, speaks), in);
      in.end();
      return message;
    } catch (IllegalArgumentException invalid) {
      // Of the constructors, which check what the parts of a message have to do with each other.
      throw new MalformedMessageException("malformed message: " + invalid.getMessage());
    }
  }

  private static boolean isOfAllVersions(byte[] array, int offset, int length) {
    return length > 0 && array[offset] == MessageLayout.OTHER_VERSION;
  }

  private static OtherVersion otherVersion(MessageReader in) throws MalformedMessageException {
    in.unsignedByte("marker");
    int newest = in.unsignedByte("newest");
    int oldest = in.unsignedByte("oldest");
    in.skipRest();
    return new OtherVersion(new ProtocolVersions(oldest, newest));
  }

  private static MembershipMessage read(MessageHeader header, MessageReader in)
      throws MalformedMessageException {
    int epoch = header.epoch();
    int segment = header.segment();
    int segEpoch = header.segEpoch();
    return switch (header.type()) {
      case HEARTBEAT -> {
        long sentNanos = in.int64("sentNanos");
        yield new Heartbeat(epoch, sentNanos, new HashSet<>(in.nodes("silent")));
      }
      case GRANT -> new Grant(epoch, in.int64("sentNanos"));
      case PREPARE -> new Prepare(epoch, ballot(in), new HashSet<>(in.nodes("demoted")));
      case PROMISE -> promise(epoch, in);
      case ACCEPT -> {
        Ballot ballot = ballot(in);
        boolean hasHeir = in.bool("hasHeir");
        Set<NodeId> accepted = new HashSet<>(in.nodes("accepted"));
        Set<NodeId> behind = new HashSet<>(in.nodes("behind"));
        Proposal proposal = TopologyLayout.readProposal(in);
        yield new Accept(epoch, ballot, proposal, hasHeir, accepted, behind);
      }
      case ACCEPTED ->
          new Accepted(epoch, ballot(in), in.node("voter"), new HashSet<>(in.nodes("behind")));
      case WAIT -> new Wait(epoch, ballot(in));
      case OUTVOTED -> new Outvoted(epoch, ballot(in), ballot(in));
      case LEARN -> new Learn(TopologyLayout.readTopology(in, epoch));
      case FETCH -> new Fetch(epoch);
      case JOIN -> {
        NodeId node = in.node("node");
        yield new Join(epoch, node, TopologyLayout.readProfile(in));
      }
      case LEAVE -> new Leave(epoch, in.node("node"), in.bool("unleased"));
      case ADD_ISR -> new AddIsr(epoch, segment, segEpoch, in.node("learner"));
      case DRAIN -> new Drain(epoch, segment, segEpoch);
      case RELEASED -> new Released(epoch, segment, segEpoch, in.node("node"));
      case SEED_HERE -> new SeedHere(in.int64("list"), in.int32("position"), in.int32("reaches"));
      case BID -> new Bid(in.count64("attempt"));
      case VOTE -> new Vote(in.count64("attempt"));
      case WITHDRAW -> new Withdraw(in.count64("attempt"));
      case DEFINE -> define(epoch, in);
      case SUSPECT -> new Suspect(epoch, in.node("node"));
      case UNREACHED -> new Unreached(epoch, in.node("primary"), in.node("node"));
      case PAUSE -> {
        int changes = in.count32("changes", Integer.MAX_VALUE);
        int group = in.int32("group");
        yield new Pause(epoch, changes, group, in.bool("paused"));
      }
      case LIMIT_COPIES -> limitCopies(epoch, in);
      case NAME_TAKEN -> new NameTaken(epoch, in.text("seat"));
      case RETURNED -> {
        NodeId former = in.node("former");
        Origin origin = TopologyLayout.readOrigin(in);
        yield new Returned(former, origin, in.count32("lastEpoch", Integer.MAX_VALUE));
      }
      case RECALL -> new Recall();
      case RECOLLECTION -> MemoryLayout.readRecollection(in);
      case RESTART_LOST -> {
        int group = in.count32("group", Integer.MAX_VALUE);
        yield new RestartLost(epoch, group, in.count32("inEpoch", Integer.MAX_VALUE));
      }
      case RECOVER -> new Recover(epoch, in.count64("attempt"), new HashSet<>(in.nodes("without")));
      case RECOVERABLE -> recoverable(epoch, in);
      case OFFER -> offer(epoch, in);
      case UNDEFINE -> {
        int id = in.int32("id");
        yield new Undefine(epoch, in.text("name"), id);
      }
      default -> throw in.malformed("type", header.type(), "unknown");
    };
  }

  static Ballot ballot(MessageReader in) throws MalformedMessageException {
    int round = in.count32("round", Integer.MAX_VALUE);
    return new Ballot(round, in.node("node"));
  }

  private static Promise promise(int epoch, MessageReader in) throws MalformedMessageException {
    Ballot ballot = ballot(in);
    Ballot acceptedBallot = ballot(in);
    return new Promise(epoch, ballot, acceptedBallot, accepted(in));
  }

  private static Recoverable recoverable(int epoch, MessageReader in)
      throws MalformedMessageException {
    long attempt = in.count64("attempt");
    String refusal = in.text("refusal");
    Ballot acceptedBallot = ballot(in);
    return new Recoverable(epoch, attempt, refusal, acceptedBallot, accepted(in));
  }

  private static @Nullable Proposal accepted(MessageReader in) throws MalformedMessageException {
    return in.bool("accepted") ? TopologyLayout.readProposal(in) : null;
  }

  private static Define define(int epoch, MessageReader in) throws MalformedMessageException {
    int lastCacheId = in.int32("lastCacheId");
    String name = in.text("name");
    CacheGroup group = TopologyLayout.readGroup(in);
    int versionEpoch = in.int32("versionEpoch");
    CacheRequest request = new CacheRequest(name, group, versionEpoch, in.text("config"));
    return new Define(epoch, lastCacheId, request);
  }
}

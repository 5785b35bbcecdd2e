package dev.isogrid.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.cluster.ClusterTimes;
import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.Operation;
import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.topology.CacheGroup;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.SegmentOwners;
import dev.isogrid.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The calls of a node whose network the test is. */
class CallsTest {
  private static final long MILLI = 1_000_000;
  private static final long TIMEOUT = 10_000 * MILLI;
  private static final NodeId SELF = new NodeId(0, 1);
  private static final NodeId PRIMARY = new NodeId(0, 2);
  private static final NodeId OTHER = new NodeId(0, 3);
  private static final ByteString KEY = RealCluster.bytes("key");
  private static final int MANY = 10_000;

  private record Sent(NodeId to, Operation operation) {}

  private final List<Sent> sent = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final Calls calls =
      new Calls(SELF, ClusterTimes.usual(), this::send, MANY, new CopyPace(CopyLimits.NONE));
  private long now;

  private void send(NodeId to, Message message) {
    if (message instanceof Operation operation) {
      sent.add(new Sent(to, operation));
    }
  }

  private void install(int epoch, NodeId primary) {
    install(epoch, new SegmentOwners(epoch, primary, List.of(PRIMARY, OTHER), List.of()));
  }

  private void install(int epoch, SegmentOwners owners) {
    List<Member> members =
        Stream.of(SELF, PRIMARY, OTHER)
            .map(id -> new Member(id, 1, MemberProfile.ofCapacity(1)))
            .toList();
    calls.install(
        new Topology(
            epoch,
            members,
            List.of(SELF, PRIMARY, OTHER),
            List.of(new CacheGroup(2, 1, false, false)),
            List.of(owners),
            List.of(),
            0),
        now);
  }

  private void begin(int count) {
    for (int i = 0; i < count; i++) {
      Command put = TestCommand.put(KEY, KEY);
      assertTrue(calls.tryBegin(put, null, null, 0, now + TIMEOUT, outcomes::add, now));
    }
  }

  @Test
  void install_whereASegmentWentOnFromADisk_doesNotRepeatWrites() {
    install(1, PRIMARY);
    begin(1);
    install(2, new SegmentOwners(2, null, List.of(PRIMARY), List.of()));
    begin(1);
    assertEquals(1, sent.size());
    install(3, new SegmentOwners(3, OTHER, List.of(OTHER), List.of()));
    Outcome unknown = outcomes.getFirst();
    assertEquals(Outcome.Kind.INDETERMINATE, unknown.kind());
    assertEquals(1, outcomes.size());
    assertEquals(2, sent.size(), "the one that was never sent");
    runUntil(1000);
    OperationId first = sent.getFirst().operation.id();
    assertEquals(1, attempts(first));
  }

  @Test
  void install_whereASegmentMoves_repeatsWrites() {
    install(1, PRIMARY);
    begin(1);
    install(2, OTHER);
    assertEquals(List.of(PRIMARY, OTHER), sent.stream().map(Sent::to).toList());
    assertEquals(List.of(), outcomes);
  }

  private void runUntil(long millis) {
    while (now < millis * MILLI) {
      now += 10 * MILLI;
      calls.tick(now);
    }
  }

  private void answer(Sent one, Status status) {
    Operation operation = one.operation;
    calls.onReply(
        one.to, new Reply(1, 0, 1, operation.id(), operation.attempt(), status, true, null), now);
  }

  @Test
  void tryBegin_ofMany_sendsAWindow_andTheOthersAsAnswersCome() {
    install(1, PRIMARY);
    begin(MANY);
    assertEquals(SendWindow.FIRST_MAX, sent.size());
    int most = 0;
    for (int answered = 0; answered < sent.size(); answered++) {
      answer(sent.get(answered), Status.DONE);
      most = Math.max(most, sent.size() - answered - 1);
    }
    assertEquals(SendWindow.MOST_MAX, most, "without an answer");
    assertEquals(MANY, outcomes.size());
    assertEquals(MANY, sent.size(), "sent twice");
    assertEquals(new Outcome(Outcome.Kind.DONE, null), outcomes.getLast());
    assertEquals(0, calls.count());
  }

  @Test
  void tick_whileNobodyAnswers_sendsEverLess() {
    install(1, PRIMARY);
    begin(MANY);
    runUntil(1000);
    long toPrimary = sent.stream().filter(each -> each.to.equals(PRIMARY)).count();
    assertTrue(toPrimary > SendWindow.FIRST_MAX, "sent=" + toPrimary);
    assertTrue(toPrimary < 10 * SendWindow.FIRST_MAX, "sent=" + toPrimary);
    OperationId first = sent.getFirst().operation.id();
    assertEquals(4, attempts(first), "at 0, 100, 300 and 700 ms");
    runUntil(3000);
    assertEquals(6, attempts(first), "then at 1500 and 2300 ms");
  }

  private long attempts(OperationId id) {
    return sent.stream()
        .filter(each -> each.to.equals(PRIMARY) && each.operation.id().equals(id))
        .count();
  }

  private long begun() {
    return sent.stream().map(each -> each.operation.id()).distinct().count();
  }

  @Test
  void tick_whileNobodyAnswersALargeOne_sendsItAgainLater() {
    install(1, PRIMARY);
    Command put = TestCommand.put(KEY, ByteString.of(new byte[1 << 20]));
    assertTrue(calls.tryBegin(put, null, null, 0, now + TIMEOUT, outcomes::add, now));
    runUntil(450);
    assertEquals(1, sent.size());
    runUntil(470);
    assertEquals(2, sent.size());
  }

  @Test
  void lateCalls_letOthersBeSent_slowly() {
    install(1, PRIMARY);
    begin(MANY);
    runUntil(90);
    assertEquals(SendWindow.FIRST_MAX, begun());
    runUntil(110);
    assertEquals(SendWindow.FIRST_MAX + SendWindow.FIRST_MAX / 2, begun());
    runUntil(210);
    List.copyOf(sent.subList(0, SendWindow.FIRST_MAX)).forEach(each -> answer(each, Status.DONE));
    assertEquals(SendWindow.FIRST_MAX * 7 / 4, begun(), "late answers let no more be sent");
  }

  @Test
  void aFewCalls_areSentAgainAtTheSamePace() {
    install(1, PRIMARY);
    begin(3);
    runUntil(1000);
    assertEquals(11, attempts(sent.getFirst().operation.id()));
  }

  @Test
  void refusedCalls_ifThereAreMany_areSentAgainEverLater() {
    install(1, PRIMARY);
    begin(SendWindow.FIRST_MAX + 1);
    for (int i = 0; now < 1000 * MILLI; now += 5 * MILLI) {
      calls.tick(now);
      while (i < sent.size()) {
        answer(sent.get(i++), Status.NOT_READY);
      }
    }
    long attempts = attempts(sent.getFirst().operation.id());
    assertTrue(attempts > 16, "attempts=" + attempts);
    assertTrue(attempts < 30, "attempts=" + attempts);
  }

  @Test
  void refusedCalls_letOthersBeSentMeanwhile() {
    install(1, PRIMARY);
    begin(2 * SendWindow.FIRST_MAX);
    assertEquals(SendWindow.FIRST_MAX, sent.size());
    List.copyOf(sent).forEach(each -> answer(each, Status.NOT_READY));
    assertEquals(2 * SendWindow.FIRST_MAX, sent.size());
    runUntil(20);
    assertEquals(2 * SendWindow.FIRST_MAX, sent.size(), "the others have no answer yet");
    sent.subList(SendWindow.FIRST_MAX, sent.size()).stream()
        .toList()
        .forEach(each -> answer(each, Status.DONE));
    assertEquals(3 * SendWindow.FIRST_MAX, sent.size());
    sent.subList(2 * SendWindow.FIRST_MAX, sent.size()).stream()
        .toList()
        .forEach(each -> answer(each, Status.DONE));
    assertEquals(2 * SendWindow.FIRST_MAX, outcomes.size());
  }

  @Test
  void call_thatWasNeverSent_endsAsNotDone_andNamesTheReason() {
    install(1, PRIMARY);
    begin(MANY);
    runUntil(10_010);
    assertEquals(MANY, outcomes.size());
    Outcome maybe = new Outcome(Outcome.Kind.INDETERMINATE, null);
    assertEquals(begun(), outcomes.stream().filter(maybe::equals).count());
    assertTrue(begun() < MANY / 5, "begun=" + begun());
    Outcome never =
        new Outcome(
            Outcome.Kind.FAILED,
            "since the segment's primary has not answered earlier operations yet");
    assertTrue(outcomes.contains(never), outcomes.toString());
  }

  @Test
  void install_ofAnotherPrimary_sendsItAWindowOfThem() {
    install(1, PRIMARY);
    begin(MANY);
    sent.clear();
    install(2, OTHER);
    assertEquals(SendWindow.FIRST_MAX, sent.size());
    for (int answered = 0; answered < sent.size(); answered++) {
      assertEquals(OTHER, sent.get(answered).to);
      answer(sent.get(answered), Status.DONE);
    }
    assertEquals(MANY, outcomes.size());
  }
}

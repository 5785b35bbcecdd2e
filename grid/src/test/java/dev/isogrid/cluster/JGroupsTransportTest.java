package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Env;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.Prepare;
import dev.isogrid.testkit.Await;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.MemberProfile;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Planner;
import dev.isogrid.topology.ProtocolVersions;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jgroups.BytesMessage;
import org.jgroups.ObjectMessage;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.SHARED_LOOPBACK;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JGroupsTransportTest {
  private final Env env = Env.system();
  private final MembershipCodec codec = new MembershipCodec();
  private final TransportConfig inProcess =
      new TransportConfig(
          "test-" + UUID.randomUUID(), "127.0.0.1", 1, new Discovery.SameProcess(), null);

  /** Keeps what comes. */
  private static final class Recorder implements TransportHandler {
    final ConcurrentLinkedQueue<Received> messages = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<ViewHint> views = new ConcurrentLinkedQueue<>();

    @Override
    public void onMessages(List<Received> received) {
      messages.addAll(received);
    }

    @Override
    public void onView(ViewHint view) {
      views.add(view);
    }
  }

  @AfterEach
  void close() {
    env.scheduler().close();
  }

  private JGroupsTransport open(TransportConfig config) {
    return JGroupsTransport.open(config, codec, env);
  }

  @Test
  void send_toOther_arrivesWithTheSender() throws Exception {
    Recorder recorder = new Recorder();
    try (JGroupsTransport one = open(inProcess);
        JGroupsTransport other = open(inProcess)) {
      other.start(recorder);
      one.send(other.self(), new Fetch(7));
      Await.until("a message", () -> !recorder.messages.isEmpty());
      assertEquals(
          new TransportHandler.Received(one.self(), new Fetch(7)), recorder.messages.peek());
      NodeId first = one.self();
      Await.until(
          "a view of both",
          () -> recorder.views.stream().anyMatch(view -> view.present().contains(first)));
    }
  }

  @Test
  void receive_ofGarbage_isCountedAndDropped() throws Exception {
    Recorder recorder = new Recorder();
    try (JGroupsTransport one = open(inProcess);
        JGroupsTransport other = open(inProcess)) {
      other.start(recorder);
      byte[] garbage = "GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII);
      one.channel().send(new BytesMessage(other.channel().getAddress(), garbage));
      one.channel().send(new ObjectMessage(other.channel().getAddress(), "text"));
      one.channel().send(new BytesMessage(null, garbage));
      Await.until("garbage", () -> other.counters().malformed() == 3);
      one.send(other.self(), new Fetch(1));
      Await.until("a message", () -> recorder.messages.size() == 1);
    }
  }

  @Test
  void probedAt_whereNobodyAcceptsConnections_isUnknown(@TempDir Path folder) throws Exception {
    checkProbed(false, inProcess, inProcess);
    checkProbed(false, ownStack(folder, "UDP"), ownStack(folder, "UDP"));
    checkProbed(true, ownStack(folder, "TCP"), ownStack(folder, "TCP"));
  }

  private TransportConfig ownStack(Path folder, String transport) throws Exception {
    int port = RealNetwork.freeAddresses(1).getFirst().port();
    Path file = RealNetwork.stackFile(folder, transport, port);
    return new TransportConfig(
        inProcess.clusterName() + transport, "ignored", 1, new Discovery.Nobody(), file);
  }

  private void checkProbed(boolean isProbed, TransportConfig first, TransportConfig second) {
    try (JGroupsTransport one = open(first);
        JGroupsTransport other = open(second)) {
      Await.until("the address of the other", () -> one.listensAt(other.self()) != null);
      assertEquals(isProbed, one.probedAt(other.self()) != null);
    }
  }

  /** Speaks another version of the protocol. */
  private static final class LaterCodec implements MessageCodec {
    private final MembershipCodec codec = new MembershipCodec();

    @Override
    public void encode(Message message, MessageWriter out) {
      byte[] bytes = codec.encode(message);
      bytes[0] = (byte) (ProtocolVersions.OF_BUILD.newest() + 1);
      for (byte each : bytes) {
        out.putByte(each);
      }
    }

    @Override
    public boolean isStream(Message message) {
      return false;
    }

    @Override
    public Message decode(byte[] array, int offset, int length) throws MalformedMessageException {
      return codec.decode(array, offset, length);
    }
  }

  @Test
  void receive_ofOtherVersion_isDroppedAndAnswered() throws Exception {
    Recorder recorder = new Recorder();
    try (JGroupsTransport later = JGroupsTransport.open(inProcess, new LaterCodec(), env);
        JGroupsTransport other = open(inProcess)) {
      other.start(new Recorder());
      later.start(recorder);
      later.send(other.self(), new Fetch(1));
      Await.until("an answer", () -> !recorder.messages.isEmpty());
      assertEquals(
          new TransportHandler.Received(
              other.self(), new MembershipMessage.OtherVersion(ProtocolVersions.OF_BUILD)),
          recorder.messages.peek());
      assertEquals(1, other.counters().malformed());
    }
  }

  @Test
  void receive_whileTheHandlerIsStuck_dropsAndCountsAtTheLimit() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    TransportHandler handler =
        new TransportHandler() {
          @Override
          public void onMessages(List<Received> messages) {
            awaitEnd(stuck);
          }

          @Override
          public void onView(ViewHint view) {}
        };
    try (JGroupsTransport one = open(inProcess);
        JGroupsTransport other = open(inProcess)) {
      other.start(handler);
      for (int i = 0; i < 80_000; i++) {
        one.send(other.self(), new Fetch(i));
      }
      Await.until("a full inbox", () -> other.counters().inboxOverflows() > 0);
      stuck.countDown();
    }
  }

  private static void awaitEnd(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void send_whileOneReceiverIsSilent_dropsItsStreamAndReachesTheOther() throws Exception {
    Prepare large = StreamCodec.large(60_000);
    Recorder recorder = new Recorder();
    JGroupsTransport silent = open(inProcess);
    try (JGroupsTransport one = JGroupsTransport.open(inProcess, new StreamCodec(), env);
        JGroupsTransport other = JGroupsTransport.open(inProcess, new StreamCodec(), env)) {
      other.start(recorder);
      silent
          .channel()
          .getProtocolStack()
          .insertProtocol(
              new DISCARD().discardAll(true),
              org.jgroups.stack.ProtocolStack.Position.ABOVE,
              SHARED_LOOPBACK.class);
      for (int i = 0; i < 40; i++) {
        one.send(silent.self(), large);
        one.flush(false);
      }
      assertTrue(one.counters().streamOverflows() > 0);
      one.send(other.self(), large);
      one.flush(false);
      one.send(other.self(), new Fetch(1));
      Await.until("both messages", () -> recorder.messages.size() == 2);
    } finally {
      RealNetwork.kill(silent);
    }
  }

  @Test
  void close_twice_isHarmlessAndSendsNothingMore() {
    JGroupsTransport transport = open(inProcess);
    transport.close();
    transport.close();
    transport.send(new NodeId(1, 1), new Fetch(1));
    assertEquals(0, transport.counters().failures());
  }

  @Test
  void open_ofAddressInUse_saysWhich() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      TransportConfig config =
          new TransportConfig(
              "test", "127.0.0.1", taken.getLocalPort(), new Discovery.Nobody(), null);
      Exception refused = assertThrows(FatalGridException.class, () -> open(config));
      String expected = "cluster address not free: address=127.0.0.1, port=" + taken.getLocalPort();
      assertTrue(refused.toString().contains(expected), refused::toString);
    }
  }

  @Test
  void open_ofUnreadableStack_saysWhichFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("stack.xml");
    TransportConfig config =
        new TransportConfig("test", "127.0.0.1", 1, new Discovery.Nobody(), file);
    Exception missing = assertThrows(FatalGridException.class, () -> open(config));
    assertTrue(missing.toString().contains("not found: file=" + file), missing::toString);
    Files.writeString(file, "<config><TCP");
    Exception broken = assertThrows(FatalGridException.class, () -> open(config));
    assertTrue(broken.toString().contains("not understood: file=" + file), broken::toString);
    Files.writeString(file, "<config xmlns='urn:org:jgroups'><NO_SUCH_PROTOCOL/></config>");
    Exception unknown = assertThrows(FatalGridException.class, () -> open(config));
    assertTrue(unknown.toString().contains("stack=" + file), unknown::toString);
  }

  @Test
  void open_ofOwnStack_connects(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("stack.xml");
    Files.writeString(
        file,
        """
        <config xmlns="urn:org:jgroups">
          <SHARED_LOOPBACK diag.enabled="false"/>
          <SHARED_LOOPBACK_PING/>
          <pbcast.NAKACK2/>
          <UNICAST3/>
          <pbcast.STABLE/>
          <pbcast.GMS print_local_addr="false"/>
          <FRAG4/>
        </config>
        """);
    TransportConfig config =
        new TransportConfig(
            "own-" + UUID.randomUUID(), "127.0.0.1", 1, new Discovery.Nobody(), file);
    try (JGroupsTransport transport = open(config)) {
      assertEquals(1, transport.channel().getView().size());
    }
  }

  @Test
  void send_toMemberThatJGroupsDidNotFind_arrives() throws Exception {
    List<SeedAddress> free = RealNetwork.freeAddresses(2);
    Recorder recorder = new Recorder();
    try (JGroupsTransport one = open(alone(free.get(0)));
        JGroupsTransport other = open(alone(free.get(1)))) {
      other.start(recorder);
      one.send(other.self(), new Fetch(1));
      one.flush(false);
      one.learn(topologyOf(member(one, free.get(0)), member(other, free.get(1))));
      one.send(other.self(), new Fetch(2));
      one.flush(false);
      Await.until("a message", () -> !recorder.messages.isEmpty());
      assertEquals(
          List.of(new TransportHandler.Received(one.self(), new Fetch(2))),
          List.copyOf(recorder.messages));
    }
  }

  @Test
  void look_findsWhoIsThere_beforeJGroupsMerges() throws Exception {
    List<SeedAddress> free = RealNetwork.freeAddresses(2);
    Recorder recorder = new Recorder();
    try (JGroupsTransport one = open(at(free.get(0), new Discovery.Seeds(free)));
        JGroupsTransport other = open(alone(free.get(1)))) {
      one.start(recorder);
      for (JGroupsTransport each : List.of(one, other)) {
        each.channel().getProtocolStack().removeProtocol(MERGE3.class);
      }
      one.look();
      NodeId found = other.self();
      Await.until(
          "the other", () -> recorder.views.stream().anyMatch(v -> v.present().contains(found)));
      one.send(found, new Fetch(1));
      one.flush(false);
      Recorder others = new Recorder();
      other.start(others);
      Await.until("a message", () -> !others.messages.isEmpty());
      assertEquals(1, one.channel().getView().size());
    }
  }

  /** An event loop that ends leaves a connection open now and then, so it takes many of them. */
  @Test
  void close_endsTheConnectionsOfOthers() throws Exception {
    SeedAddress at = RealNetwork.freeAddresses(1).getFirst();
    for (int i = 0; i < 100; i++) {
      JGroupsTransport transport = open(alone(at));
      try (Socket first = new Socket(at.host(), at.port());
          Socket second = new Socket(at.host(), at.port())) {
        transport.close();
        assertTrue(isEnded(first) && isEnded(second), "closings before: " + i);
      } finally {
        transport.close();
      }
    }
  }

  private static boolean isEnded(Socket socket) throws IOException {
    socket.setSoTimeout((int) Await.PATIENCE.toMillis());
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  private static TransportConfig alone(SeedAddress at) {
    return at(at, new Discovery.Nobody());
  }

  private static TransportConfig at(SeedAddress at, Discovery discovery) {
    return new TransportConfig("apart", at.host(), at.port(), discovery, null);
  }

  private static Member member(JGroupsTransport of, SeedAddress at) {
    return new Member(of.self(), 1, new MemberProfile("", 1, "", "", "@" + at));
  }

  private static Topology topologyOf(Member... members) {
    return Planner.first(List.of(members), List.of());
  }

  private static Member speaking(int node, int oldest, int newest) {
    ProtocolVersions versions = new ProtocolVersions(oldest, newest);
    return new Member(new NodeId(0, node), 1, new MemberProfile("", 1, "", "", "", versions));
  }

  @Test
  void learn_ofATopology_writesInTheVersionThatAllMembersSpeak() {
    MembershipCodec codec = new MembershipCodec(new ProtocolVersions(12, 14));
    try (JGroupsTransport one = JGroupsTransport.open(inProcess, codec, env)) {
      assertEquals(12, codec.written());
      one.write(14);
      assertEquals(14, codec.written());
      one.learn(topologyOf(speaking(1, 12, 14), speaking(2, 11, 13)));
      assertEquals(13, codec.written());
    }
  }

  @Test
  void view_afterTheOtherProcessDied_saysThatItIsGone() throws Exception {
    List<SeedAddress> free = RealNetwork.freeAddresses(2);
    Discovery seeds = new Discovery.Seeds(free);
    Recorder recorder = new Recorder();
    JGroupsTransport dying =
        open(new TransportConfig("gone", "127.0.0.1", free.get(0).port(), seeds, null));
    try (JGroupsTransport other =
        open(new TransportConfig("gone", "127.0.0.1", free.get(1).port(), seeds, null))) {
      other.start(recorder);
      NodeId dead = dying.self();
      Await.until(
          "a view of both",
          () -> recorder.views.stream().anyMatch(view -> view.present().contains(dead)));
      assertTrue(recorder.views.stream().allMatch(view -> view.gone().isEmpty()));
      RealNetwork.kill(dying);
      Await.until(
          "a view without the dead one",
          () -> recorder.views.stream().anyMatch(view -> view.gone().containsKey(dead)));
    } finally {
      dying.close();
    }
  }

  @Test
  void open_withDatabaseWithoutDriver_saysSo() {
    Discovery database = new Discovery.Database("jdbc:none:x", "me", "secret", "no.such.Driver");
    TransportConfig config = new TransportConfig("database", "127.0.0.1", 1, database, null);
    Exception refused = assertThrows(FatalGridException.class, () -> open(config));
    assertTrue(refused.toString().contains("no.such.Driver"), refused::toString);
    assertFalse(refused.toString().contains("secret"), refused::toString);
    assertFalse(config.toString().contains("secret"), config::toString);
  }

  @Test
  void config_ofBlankClusterName_isRefused() {
    assertThrows(
        InvalidRequestException.class,
        () -> new TransportConfig(" ", "127.0.0.1", 1, new Discovery.Nobody(), null));
  }
}

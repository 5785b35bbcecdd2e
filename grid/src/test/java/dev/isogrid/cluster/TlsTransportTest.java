package dev.isogrid.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Env;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.testkit.Await;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.blocks.cs.BaseServer;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTransportTest {
  private static final String REFUSED = "connection to the cluster port refused: from=/127.0.0.1:";

  @TempDir private static Path folder;
  private static TestKeys ours;
  private static TestKeys foreign;

  private final Env env = Env.system();
  private final LogLines lines = new LogLines(JGroupsTransport.class);
  private final AtomicInteger received = new AtomicInteger();
  private List<SeedAddress> addresses;

  @BeforeAll
  static void makeKeys() throws Exception {
    ours = new TestKeys(folder, "ours", "EC");
    foreign = new TestKeys(folder, "foreign", "RSA");
  }

  @BeforeEach
  void findAddresses() throws Exception {
    addresses = RealNetwork.freeAddresses(3);
  }

  @AfterEach
  void close() {
    lines.close();
    env.scheduler().close();
  }

  private JGroupsTransport open(int number, @Nullable TransportTls tls) {
    TransportConfig config =
        new TransportConfig(
            "tls",
            "127.0.0.1",
            addresses.get(number).port(),
            0,
            new Discovery.Seeds(addresses),
            null,
            tls);
    return JGroupsTransport.open(config, new MembershipCodec(), env);
  }

  private JGroupsTransport openOurs(int number) {
    return open(number, new TransportTls.Keys(ours.store, ours.certificate));
  }

  private void count(JGroupsTransport transport) {
    transport.start(
        new TransportHandler() {
          @Override
          public void onMessages(List<Received> messages) {
            received.addAndGet(messages.size());
          }

          @Override
          public void onView(ViewHint view) {}
        });
  }

  private void checkSending(JGroupsTransport from, JGroupsTransport to) throws Exception {
    int before = received.get();
    for (int i = 0; i < 100; i++) {
      from.send(to.self(), new Fetch(i));
      from.flush(true);
    }
    Await.until("the messages", () -> received.get() == before + 100);
  }

  @Test
  void open_withTrustedCertificates_findsTheOther() throws Exception {
    try (JGroupsTransport one = openOurs(0);
        JGroupsTransport other = open(1, new TransportTls.Keys(ours.pem, ours.store))) {
      count(other);
      assertEquals(2, other.channel().getView().size());
      checkSending(one, other);
      assertEquals(0, one.counters().connections() + other.counters().connections());
    }
  }

  @Test
  void open_withForeignCertificate_isRefusedAndSaid() throws Exception {
    try (JGroupsTransport one = openOurs(0);
        JGroupsTransport other = openOurs(1)) {
      count(other);
      try (JGroupsTransport stranger =
          open(2, new TransportTls.Keys(foreign.store, ours.certificate))) {
        assertEquals(1, stranger.channel().getView().size());
        assertEquals(2, one.channel().getView().size());
        Await.until("the line", () -> lines.count(REFUSED) > 0);
        assertTrue(one.counters().connections() > 0);
        checkSending(one, other);
      }
    }
  }

  @Test
  void open_withoutTrustInTheOthers_isAloneAndSaysSo() throws Exception {
    try (JGroupsTransport one = openOurs(0);
        JGroupsTransport stranger =
            open(1, new TransportTls.Keys(foreign.pem, foreign.certificate))) {
      assertEquals(1, stranger.channel().getView().size());
      Await.until(
          "the line",
          () -> lines.count("node of the cluster not trusted: at=" + one.listensAt()) > 0);
      assertEquals(1, lines.count("certificate=CN=ours"));
    }
  }

  @Test
  void open_withoutTls_isRefused() throws Exception {
    try (JGroupsTransport one = openOurs(0);
        JGroupsTransport plain = open(1, null)) {
      assertEquals(1, one.channel().getView().size());
      assertEquals(1, plain.channel().getView().size());
      Await.until("the line", () -> lines.count(REFUSED) > 0);
    }
  }

  private static TransportTls secret(String text) {
    return new TransportTls.Secret(text);
  }

  @Test
  void open_withTheSameSecret_findsTheOther() throws Exception {
    try (JGroupsTransport one = open(0, secret("one and the same secret"));
        JGroupsTransport other = open(1, secret("one and the same secret"))) {
      count(other);
      assertEquals(2, other.channel().getView().size());
      checkSending(one, other);
      assertEquals(0, one.counters().connections() + other.counters().connections());
    }
  }

  @Test
  void open_withAnotherSecretOrNone_isAloneAndSaysSo() throws Exception {
    try (JGroupsTransport one = open(0, secret("one and the same secret"))) {
      try (JGroupsTransport stranger = open(1, secret("one and the same secrets"))) {
        assertEquals(1, stranger.channel().getView().size());
        Await.until(
            "the line", () -> lines.count("reason=it has another secret than this node") > 0);
      }
      try (JGroupsTransport plain = open(1, null);
          JGroupsTransport certified = openOurs(2)) {
        assertEquals(1, plain.channel().getView().size());
        assertEquals(1, certified.channel().getView().size());
        Await.until("the line", () -> lines.count(REFUSED) > 0);
      }
      assertEquals(1, one.channel().getView().size());
    }
  }

  @Test
  void open_whilePlainBytesCome_findsTheOther() throws Exception {
    try (JGroupsTransport one = open(0, secret("one and the same secret"));
        Socket garbage = new Socket("127.0.0.1", addresses.getFirst().port())) {
      garbage.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
      Await.until("the line", () -> lines.count(REFUSED) > 0);
      try (JGroupsTransport other = open(1, secret("one and the same secret"))) {
        count(other);
        checkSending(one, other);
      }
    }
  }

  @Test
  void keys_ofTheSameSecret_areTheSameAndOfAnotherAreNot() throws Exception {
    SecretKeys.Pair one = SecretKeys.of("one and the same secret");
    SecretKeys.Pair same = SecretKeys.of("one and the same secret");
    SecretKeys.Pair another = SecretKeys.of("one and the same secrets");
    assertEquals(one.certificate(), same.certificate());
    assertNotEquals(one.keys().getPublic(), another.keys().getPublic());
    one.certificate().verify(one.keys().getPublic());
    assertFalse(secret("one and the same secret").toString().contains("same"));
  }

  @Test
  void open_ofAPortForFailures_boundsWhatStrangersSend() {
    try (JGroupsTransport one = open(0, secret("one and the same secret"))) {
      Protocol detection = one.channel().getProtocolStack().findProtocol(FD_SOCK2.class);
      BaseServer server = ConnectionLog.server(detection, "srv");
      assertNotNull(server);
      assertEquals(ConnectionLog.FAILURE_PACKET_BYTES_MAX, server.getMaxLength());
    }
  }

  @Test
  void open_whileSilentConnectionsAreOpen_findsTheOther() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (JGroupsTransport one = openOurs(0)) {
      for (int i = 0; i < 100; i++) {
        silent.add(new Socket("127.0.0.1", addresses.getFirst().port()));
      }
      try (JGroupsTransport other = openOurs(1)) {
        count(other);
        assertEquals(2, other.channel().getView().size());
        checkSending(one, other);
      }
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void open_withUnusableKeys_saysWhichAndNoSecret() throws Exception {
    TlsKeys wrongPassword = new TlsKeys.StoreFile(ours.store.file(), "not the secret");
    checkRefused(wrongPassword, ours.certificate, "file=" + ours.store.file());
    Path missing = folder.resolve("missing");
    checkRefused(ours.store, new TlsKeys.PemFiles(missing, null), "certificates=" + missing);
    checkRefused(ours.certificate, ours.store, "no private key");
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    checkRefused(ours.store, new TlsKeys.PemFiles(empty, null), "it is empty");
    checkRefused(
        new TlsKeys.PemFiles(ours.certificate.certificates(), empty),
        ours.store,
        "no BEGIN PRIVATE KEY");
  }

  private void checkRefused(TlsKeys own, TlsKeys trusted, String reason) {
    Exception refused =
        assertThrows(FatalGridException.class, () -> open(0, new TransportTls.Keys(own, trusted)));
    assertTrue(refused.toString().contains("keys of the cluster not usable"), refused::toString);
    assertTrue(refused.toString().contains(reason), refused::toString);
    assertFalse(refused.toString().contains("secret"), refused::toString);
  }

  @Test
  void open_withStackThatCannot_isRefused() throws Exception {
    Path file = folder.resolve("stack.xml");
    Files.writeString(
        file,
        """
        <config xmlns="urn:org:jgroups">
          <SHARED_LOOPBACK diag.enabled="false"/>
          <SHARED_LOOPBACK_PING/>
        </config>
        """);
    TransportTls tls = new TransportTls.Keys(ours.store, ours.store);
    TransportConfig config =
        new TransportConfig("tls", "127.0.0.1", 1, 0, new Discovery.Nobody(), file, tls);
    Exception refused =
        assertThrows(
            FatalGridException.class,
            () -> JGroupsTransport.open(config, new MembershipCodec(), env));
    assertTrue(refused.toString().contains("transport=SHARED_LOOPBACK"), refused::toString);
  }

  @Test
  void config_ofTlsWithoutNetwork_isRefused() {
    TransportTls tls = new TransportTls.Keys(ours.store, ours.store);
    assertThrows(
        InvalidRequestException.class,
        () ->
            new TransportConfig("tls", "127.0.0.1", 1, 0, new Discovery.SameProcess(), null, tls));
  }
}

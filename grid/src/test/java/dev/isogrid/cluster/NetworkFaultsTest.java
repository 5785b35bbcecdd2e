package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Env;
import dev.isogrid.base.Seeds;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.protocols.TCP_NIO2;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Network events and their effects on a listening node. */
class NetworkFaultsTest {
  private static final int FAILURE_DETECTION_OFFSET = 100;
  private static final int STRANGERS = 200;

  private final Env env = Env.system();
  private final AtomicInteger received = new AtomicInteger();
  private List<SeedAddress> addresses;

  @BeforeEach
  void findAddresses() throws Exception {
    addresses = RealNetwork.freeAddresses(2);
  }

  @AfterEach
  void close() {
    env.scheduler().close();
  }

  private JGroupsTransport open(int port, int morePorts, Discovery discovery) {
    return JGroupsTransport.open(
        new TransportConfig("faults", "127.0.0.1", port, morePorts, discovery, null, null),
        new MembershipCodec(),
        env);
  }

  private JGroupsTransport open(int number) {
    return open(addresses.get(number).port(), 0, new Discovery.Seeds(addresses));
  }

  private void checkSending(JGroupsTransport from, JGroupsTransport to) throws Exception {
    int before = received.get();
    for (int i = 0; i < 100; i++) {
      from.send(to.self(), new Fetch(i));
      from.flush(true);
    }
    Await.until("the messages", () -> received.get() == before + 100);
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

  @Test
  void listen_toGarbage_goesOnAndLogsLittle() throws Exception {
    try (JGroupsTransport one = open(0);
        JGroupsTransport other = open(1);
        LogLines ours = new LogLines(JGroupsTransport.class);
        LogLines ofJgroups = new LogLines(TCP_NIO2.class)) {
      count(other);
      Seeds.run(
          1,
          random -> {
            sendGarbage(addresses.get(1).port(), random);
            sendGarbage(addresses.get(1).port() + FAILURE_DETECTION_OFFSET, random);
          });
      Await.until("garbage", () -> other.counters().connections() > 0);
      checkSending(one, other);
      assertEquals(2, other.channel().getView().size());
      assertEquals(1, ours.count("connection"));
      assertEquals(0, ofJgroups.count(""));
    }
  }

  private static void sendGarbage(int port, Random random) {
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < STRANGERS; i++) {
        Socket socket = new Socket();
        open.add(socket);
        socket.connect(new InetSocketAddress("127.0.0.1", port), 2000);
        send(socket, garbage(i, random));
        if (i % 3 == 0) {
          socket.close();
        }
      }
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The other side may have closed it already. */
  private static void send(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException refused) {
      assertTrue(bytes.length > 0);
    }
  }

  private static byte[] garbage(int kind, Random random) {
    byte[] bytes = new byte[random.nextInt(5000) + 8];
    random.nextBytes(bytes);
    switch (kind % 4) {
      case 0 -> bytes[0] = (byte) (bytes[0] & 0x7F); // a length that is not negative
      case 1 -> System.arraycopy(new byte[4], 0, bytes, 0, 2); // one that is not too large
      case 2 -> System.arraycopy("bela".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 4);
      default -> bytes = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    }
    return bytes;
  }

  @Test
  void open_whereThePortIsTaken_usesTheNextFreeOne() throws Exception {
    int port = addresses.getFirst().port();
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"));
        JGroupsTransport one = open(port, 49, new Discovery.Nobody())) {
      SeedAddress at = one.listensAt();
      assertNotEquals(taken.getLocalPort(), at == null ? 0 : at.port());
      assertTrue(at != null && at.port() > port && at.port() <= port + 49, () -> "at " + at);
    }
  }

  @Test
  void open_rightAfterAClose_takesTheSameAddress() throws Exception {
    try (JGroupsTransport one = open(0)) {
      count(one);
      for (int i = 0; i < 20; i++) {
        try (JGroupsTransport next = open(addresses.get(1).port(), 0, new Discovery.Nobody())) {
          one.send(next.self(), new Fetch(i)); // connects
          one.flush(true);
          assertNotEquals(one.self(), next.self());
        }
      }
    }
  }

  @Test
  void config_ofTooManyPorts_isRefused() {
    assertThrows(InvalidRequestException.class, () -> open(1, 100, new Discovery.Nobody()));
    assertThrows(InvalidRequestException.class, () -> open(1, -1, new Discovery.Nobody()));
  }

  /** The seed is an address whose connections are neither accepted nor refused. */
  @Test
  void open_withSeedThatDoesNotAnswer_findsTheOthers() throws Exception {
    List<Socket> filling = new ArrayList<>();
    try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      SeedAddress silent = new SeedAddress("127.0.0.1", deaf.getLocalPort());
      fill(silent, filling);
      List<SeedAddress> all = List.of(silent, addresses.get(0), addresses.get(1));
      Discovery seeds = new Discovery.Seeds(all);
      try (JGroupsTransport one = open(addresses.get(0).port(), 0, seeds);
          JGroupsTransport other = open(addresses.get(1).port(), 0, seeds)) {
        count(other);
        assertEquals(2, other.channel().getView().size());
        checkSending(one, other);
      }
    } finally {
      for (Socket socket : filling) {
        socket.close();
      }
    }
  }

  /** Fills the queue of connections that wait to be accepted. */
  private static void fill(SeedAddress address, List<Socket> filling) throws IOException {
    try {
      for (int i = 0; i < 10; i++) {
        Socket socket = new Socket();
        filling.add(socket);
        socket.connect(new InetSocketAddress(address.host(), address.port()), 100);
      }
    } catch (SocketTimeoutException full) {
      assertTrue(filling.size() > 1);
    }
  }
}

package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Env;
import dev.isogrid.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import org.jgroups.protocols.pbcast.GMS;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with real sockets find each other, or do not. */
class DiscoveryTest {
  private final Env env = Env.system();
  private List<SeedAddress> addresses;

  @BeforeEach
  void findAddresses() throws Exception {
    addresses = RealNetwork.freeAddresses(2);
  }

  @AfterEach
  void close() {
    env.scheduler().close();
  }

  private JGroupsTransport open(TransportConfig config) {
    return JGroupsTransport.open(config, new MembershipCodec(), env);
  }

  private TransportConfig config(String name, int number, Discovery discovery) {
    return new TransportConfig(name, "127.0.0.1", addresses.get(number).port(), discovery, null);
  }

  private void checkFound(TransportConfig first, TransportConfig second) {
    checkSizes(first, second, 2);
  }

  private void checkSizes(TransportConfig first, TransportConfig second, int size) {
    try (JGroupsTransport one = open(first);
        JGroupsTransport other = open(second)) {
      checkSize(other, size);
      checkSize(one, size);
    }
  }

  /** On a busy machine one may not be found at once: JGroups looks again. */
  private static void checkSize(JGroupsTransport transport, int size) {
    Await.until("a view of " + size, () -> transport.channel().getView().size() >= size);
    assertEquals(size, transport.channel().getView().size());
  }

  private void checkFound(Discovery discovery) {
    checkFound(config("found", 0, discovery), config("found", 1, discovery));
  }

  @Test
  void open_withSharedFolder_findsTheOther(@TempDir Path folder) {
    checkFound(new Discovery.SharedFolder(folder));
  }

  @Test
  void open_withMulticast_findsTheOther() {
    checkFound(new Discovery.Multicast("228.8.8.8", addresses.getFirst().port()));
  }

  /** Names of services end with a dot, which only a real resolver understands. */
  @Test
  void open_withServicesOfDns_asksForThem() throws Exception {
    try (StubDns dns = new StubDns()) {
      Discovery discovery = new Discovery.Dns("_isogrid._tcp.example.", "SRV", dns.address());
      try (JGroupsTransport one = open(config("services", 0, discovery))) {
        assertEquals(1, one.channel().getView().size());
        assertTrue(dns.isAskedForServices());
      }
    }
  }

  @Test
  void open_withAddressesOfDns_findsTheOther() throws Exception {
    int port = addresses.getFirst().port();
    try (StubDns dns = new StubDns("127.0.0.1", "127.0.0.2")) {
      Discovery discovery = new Discovery.Dns("isogrid.example.", "A", dns.address());
      checkFound(
          new TransportConfig("dns", "127.0.0.1", port, discovery, null),
          new TransportConfig("dns", "127.0.0.2", port, discovery, null));
    }
  }

  @Test
  void open_withUnknownNameOfDns_isAlone() throws Exception {
    try (StubDns dns = new StubDns();
        JGroupsTransport one =
            open(config("alone", 0, new Discovery.Dns("no.example.", "A", dns.address())))) {
      assertEquals(1, one.channel().getView().size());
    }
  }

  private static TransportConfig ownStack(Path folder, SeedAddress at) throws Exception {
    Path file = RealNetwork.stackFile(folder, "TCP", at.port());
    return new TransportConfig("own", "ignored", 1, new Discovery.Nobody(), file);
  }

  @Test
  void open_withStackOfTcp_findsTheOther(@TempDir Path folder) throws Exception {
    checkFound(ownStack(folder, addresses.get(0)), ownStack(folder, addresses.get(1)));
  }

  @Test
  void open_withAnotherClusterName_staysApart() {
    Discovery seeds = new Discovery.Seeds(addresses);
    checkSizes(config("this", 0, seeds), config("that", 1, seeds), 1);
  }

  private static long joinMillis(JGroupsTransport transport) {
    GMS membership = transport.channel().getProtocolStack().findProtocol(GMS.class);
    return membership.getJoinTimeout();
  }

  @Test
  void open_ofTheOnlySeed_waitsForNobody_andIsFound() {
    Discovery first = new Discovery.Seeds(List.of(addresses.getFirst()));
    try (JGroupsTransport one = open(config("only", 0, first));
        JGroupsTransport other = open(config("only", 1, first))) {
      assertEquals(ProtocolStack.NOBODY_MILLIS, joinMillis(one));
      assertTrue(joinMillis(other) > ProtocolStack.NOBODY_MILLIS);
      checkSize(other, 2);
      checkSize(one, 2);
    }
  }

  @Test
  void open_withNobody_staysApart() {
    SeedAddress taken = addresses.getFirst();
    Discovery nobody = new Discovery.Nobody();
    TransportConfig config =
        new TransportConfig("apart", "127.0.0.1", taken.port(), 9, nobody, null, null);
    try (JGroupsTransport one = open(config);
        JGroupsTransport other = open(config)) {
      assertEquals(taken, one.listensAt());
      assertNotEquals(taken, other.listensAt());
      assertEquals(1, other.channel().getView().size());
    }
  }
}

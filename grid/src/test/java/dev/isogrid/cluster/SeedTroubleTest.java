package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.FreePorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedTroubleTest {
  private static final String HERE = "127.0.0.1";

  @Test
  void of_seeds_saysWhatIsWrongWithEach() throws Exception {
    SeedAddress nobody = new SeedAddress(HERE, FreePorts.one());
    SeedAddress nowhere = new SeedAddress("no host", 7800);
    SeedAddress own = new SeedAddress(HERE, FreePorts.one());
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HERE))) {
      SeedAddress listens = new SeedAddress(HERE, socket.getLocalPort());

      List<String> found = SeedTrouble.of(List.of(nobody, nowhere, own, listens), own);

      assertEquals(3, found.size());
      assertEquals(nobody + " refuses connections", found.get(0));
      assertEquals(nowhere + " has no address: no such host", found.get(1));
      assertTrue(found.get(2).startsWith(listens + " takes connections"), found.get(2));
    }
  }
}

package dev.isogrid.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out what is wrong at the addresses where a node looks for others. Stateless. */
final class SeedTrouble {
  /** Enough for hosts that are near; those that drop packets answer never. */
  private static final int CONNECT_MILLIS = 500;

  /** Addresses that are tried; the rest is like them, most of the time. */
  private static final int SEEDS_MAX = 10;

  private SeedTrouble() {}

  /**
   * Tries to connect to each seed, and tells what happens, in words. Blocks for half a second per
   * seed at most, and for as long as it takes to look up its name.
   *
   * @param own where this node listens, which is left out; or null
   */
  static List<String> of(List<SeedAddress> seeds, @Nullable SeedAddress own) {
    List<String> found = new ArrayList<>();
    for (SeedAddress seed : seeds.subList(0, Math.min(seeds.size(), SEEDS_MAX))) {
      if (own == null || !seed.isAt(own)) {
        found.add(seed + " " + of(seed));
      }
    }
    return found;
  }

  private static String of(SeedAddress seed) {
    InetSocketAddress address = new InetSocketAddress(seed.host(), seed.port());
    if (address.isUnresolved()) {
      return "has no address: no such host";
    }
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
      return "takes connections; if it stays out of the cluster, compare cluster names and secrets";
    } catch (ConnectException refused) {
      return "refuses connections";
    } catch (IOException failure) {
      return "does not answer: " + failure.getMessage();
    }
  }
}

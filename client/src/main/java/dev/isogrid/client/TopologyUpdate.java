package dev.isogrid.client;

import dev.isogrid.wire.HotRod;
import java.util.ArrayList;
import java.util.List;

/**
 * The section of a response that has a topology:
 *
 * <pre>
 * vInt id | vInt n | n times: string host, u16 port
 * only for clients that ask for owners: u8 hash version | vInt segments
 *   | if the version is not 0, for each segment: u8 n | n times: vInt index of a server
 * </pre>
 */
final class TopologyUpdate {
  private static final int SERVERS_MAX = 100_000;
  private static final int SEGMENTS_MAX = 1 << 20;

  private final int id;
  private final List<ServerAddress> servers;

  /** For each segment the indexes of its owners; empty if they are not known. */
  private final int[][] owners;

  private TopologyUpdate(int id, List<ServerAddress> servers, int[][] owners) {
    this.id = id;
    this.servers = List.copyOf(servers);
    this.owners = owners;
  }

  static TopologyUpdate read(ResponseReader in, int intelligence) {
    int id = in.vInt();
    int count = limited(in.length(), SERVERS_MAX, "servers");
    List<ServerAddress> servers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String host = in.string();
      int port = in.u16();
      if (host.isEmpty() || port == 0) {
        throw new InvalidResponseException("server without address: host=" + host);
      }
      servers.add(new ServerAddress(host, port));
    }
    return new TopologyUpdate(
        id,
        servers,
        intelligence == HotRod.INTELLIGENCE_HASH ? readOwners(in, count) : new int[0][]);
  }

  private static int[][] readOwners(ResponseReader in, int serverCount) {
    int hash = in.u8();
    int segments = limited(in.length(), SEGMENTS_MAX, "segments");
    if (hash == HotRod.HASH_NONE) {
      return new int[0][];
    }
    int[][] owners = new int[segments][];
    for (int segment = 0; segment < segments; segment++) {
      owners[segment] = new int[in.u8()];
      for (int i = 0; i < owners[segment].length; i++) {
        owners[segment][i] = in.vInt();
        if (owners[segment][i] < 0 || owners[segment][i] >= serverCount) {
          throw new InvalidResponseException("no such server: index=" + owners[segment][i]);
        }
      }
    }
    return hash == HotRod.HASH_SEGMENTS ? owners : new int[0][];
  }

  private static int limited(int count, int max, String what) {
    if (count > max) {
      throw new InvalidResponseException("too many %s: count=%d".formatted(what, count));
    }
    return count;
  }

  int id() {
    return id;
  }

  List<ServerAddress> servers() {
    return servers;
  }

  int[][] owners() {
    return owners;
  }
}

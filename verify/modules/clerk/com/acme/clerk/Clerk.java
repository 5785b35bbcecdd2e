package com.acme.clerk;

import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.ProtocolVersion;
import dev.isogrid.client.RemoteCache;
import dev.isogrid.client.RemoteCacheManager;

/** Clients with one connection and with a pool of them. Argument: the port of the server. */
public class Clerk {
  record Visit(String customer, int minutes) {}

  /** Prints the pooled client's answer, and the modules of both. */
  public static void main(String[] args) {
    int port = Integer.parseInt(args[0]);
    ClientConfig.Builder config = ClientConfig.builder().addServer("127.0.0.1", port);
    try (RemoteCacheManager manager = new RemoteCacheManager(config.build());
        RemoteCacheManager old =
            new RemoteCacheManager(
                config.protocolVersion(ProtocolVersion.PROTOCOL_VERSION_29).build())) {
      RemoteCache<String, Visit> visits = manager.getCache("visits");
      visits.put("monday", new Visit("Grace", 20));
      RemoteCache<String, Visit> same = old.getCache("visits");
      System.out.println(same.get("monday"));
      System.out.println("module: " + manager.getClass().getModule().getName());
    }
  }
}

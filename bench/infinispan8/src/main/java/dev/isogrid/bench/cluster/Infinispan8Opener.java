package dev.isogrid.bench.cluster;

import java.io.IOException;
import java.util.List;

/** Makes nodes of Infinispan 8. Public for the service loader. */
public final class Infinispan8Opener implements MemberOpener {
  /** For the service loader. */
  public Infinispan8Opener() {}

  @Override
  public ClusterMember open(String name, int port, List<Integer> seeds, CacheKind kind)
      throws IOException {
    return Infinispan8Member.open(name, port, seeds, kind);
  }
}

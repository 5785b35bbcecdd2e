package dev.isogrid.server.backup;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.api.StorageType;
import dev.isogrid.base.Env;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.KeyWrite;
import dev.isogrid.node.Node;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.net.CacheFiles;
import dev.isogrid.server.net.OwnEndpoint;
import dev.isogrid.server.net.ProblemLog;
import dev.isogrid.server.net.ServerContext;
import dev.isogrid.server.net.Traffic;
import dev.isogrid.server.security.Security;
import dev.isogrid.server.task.TaskDesk;
import dev.isogrid.server.task.TaskLibrary;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A node with a cache and a data folder for the backup desk. */
final class BackupServer implements AutoCloseable {
  private final Node node;
  private final CacheFiles files;
  private final ServerContext context;

  BackupServer(Path data) {
    this(data, GridConfig.builder(), CacheMode.LOCAL);
  }

  private BackupServer(Path data, GridConfig.Builder config, CacheMode mode) {
    node = Node.start(config.nodeName("a").build(), Env.system());
    files = CacheFiles.open(data);
    CacheCatalog catalog = new CacheCatalog(node, files);
    catalog.begin();
    context =
        new ServerContext(
            node,
            node::engine,
            node::topology,
            new OwnEndpoint(false),
            catalog,
            "1",
            1000,
            "c",
            "c",
            0,
            new Traffic(),
            new ProblemLog(() -> 0),
            Security.off(node.env()),
            new TaskDesk(node, TaskLibrary.open(null), Security.off(node.env())));
    catalog.createVolatile(
        "c", CacheConfig.builder().mode(mode).storage(StorageType.OFF_HEAP).segments(16).build());
  }

  /** A cluster of one server, with a distributed cache. */
  static BackupServer clustered(Path data) throws IOException {
    int port = FreePorts.one();
    ClusterConfig cluster =
        ClusterConfig.builder().bindPort(port).seeds(List.of("127.0.0.1:" + port)).build();
    return new BackupServer(data, GridConfig.builder().cluster(cluster), CacheMode.DIST_SYNC);
  }

  ServerContext context() {
    return context;
  }

  void fill(int count) {
    CacheEngine<BinaryKey, Bytes> engine = Objects.requireNonNull(node.engine("c"));
    for (int i = 0; i < count; i++) {
      byte[] text = ("entry " + i).getBytes(StandardCharsets.UTF_8);
      BinaryKey key = BinaryKey.of(text);
      engine.write(key, key.hash(), new KeyWrite<BinaryKey, Bytes>().put(Bytes.of(text)));
    }
  }

  @Override
  public void close() {
    node.close();
    files.close();
  }
}

package dev.isogrid.node;

import dev.isogrid.base.FileAccess;
import dev.isogrid.base.ReplacedFile;
import dev.isogrid.base.Scheduler;
import dev.isogrid.cluster.SeedAddress;
import dev.isogrid.topology.Member;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.Topology;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The file with the addresses of the other members of a node's cluster, where the node looks for
 * its cluster when it starts again. Thread-safe.
 */
final class PeerFile {
  /*
   * The file is in the data folder, and has a line "host:port" per member. It is replaced as a
   * whole when the addresses change. A node without other members keeps the last ones: they may
   * only be cut off. A file that can't be read or written is logged and does no harm: the node
   * founds a cluster then as if it had no folder.
   */
  private static final System.Logger log = System.getLogger(PeerFile.class.getName());

  private static final String NAME = "peers";

  /** Members that are looked for; one of a cluster is enough. */
  private static final int PEERS_MAX = 64;

  private final Path file;
  private final Scheduler scheduler;

  /** Held while the file is written. */
  private final ReentrantLock writing = new ReentrantLock();

  /** The addresses that the file has, or will have. Written by {@link #keep}. */
  private volatile List<SeedAddress> wanted = List.of();

  /** The addresses that the file has. Guarded by the lock. */
  private List<SeedAddress> written = List.of();

  /** Whether the last attempt failed. Guarded by the lock. */
  private boolean isFailing;

  PeerFile(Path dataFolder, Scheduler scheduler) {
    this.file = dataFolder.toAbsolutePath().resolve(NAME);
    this.scheduler = scheduler;
  }

  /** Reads the addresses; empty if there are none. Blocks. */
  List<SeedAddress> read() {
    List<SeedAddress> found = new ArrayList<>();
    try {
      if (Files.exists(file)) {
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
          found.add(ClusterWiring.seed(line.strip()));
        }
      }
    } catch (IOException | RuntimeException failure) {
      log.log(
          Level.WARNING,
          "addresses of the other servers not read, and this one does not look for them:"
              + " file={0}, reason={1}",
          file,
          failure);
      return List.of();
    }
    List<SeedAddress> peers = List.copyOf(found.subList(0, Math.min(found.size(), PEERS_MAX)));
    wanted = peers;
    writing.lock();
    try {
      written = peers;
    } finally {
      writing.unlock();
    }
    return peers;
  }

  /** Keeps the addresses of the members of a topology other than this node. Does not block. */
  void keep(Topology topology, NodeId self) {
    if (topology.member(self) == null) {
      return;
    }
    List<SeedAddress> peers = new ArrayList<>();
    for (Member member : topology.members()) {
      SeedAddress address = SeedAddress.ofSeat(member.profile().seat());
      if (!member.id().equals(self) && address != null && peers.size() < PEERS_MAX) {
        peers.add(address);
      }
    }
    if (!peers.isEmpty() && !peers.equals(wanted)) {
      wanted = List.copyOf(peers);
      try {
        scheduler.execute(this::write);
      } catch (RejectedExecutionException closing) {
        log.log(Level.DEBUG, "addresses not kept: the node is being closed", closing);
      }
    }
  }

  private void write() {
    writing.lock();
    try {
      List<SeedAddress> peers = wanted;
      if (!peers.equals(written)) {
        StringBuilder text = new StringBuilder();
        peers.forEach(peer -> text.append(peer).append('\n'));
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        new ReplacedFile(file, FileAccess.SYSTEM)
            .write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
        written = peers;
        isFailing = false;
      }
    } catch (IOException failure) {
      if (!isFailing) {
        log.log(
            Level.WARNING,
            "addresses of the other servers not kept, and not looked for after a restart: {0}",
            failure.getMessage());
      }
      isFailing = true;
    } finally {
      writing.unlock();
    }
  }
}

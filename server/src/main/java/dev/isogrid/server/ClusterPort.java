package dev.isogrid.server;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.cluster.StackFile;
import dev.isogrid.config.ClusterTransport;
import dev.isogrid.config.ServerDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a server opens a port for other nodes: not to untrusted hosts, unless an option
 * permits it.
 */
final class ClusterPort {
  /*
   * Every client of an unsecured cluster port acts as a node: it can read and change all caches,
   * whatever users and roles exist. So the port must be secured if untrusted hosts may reach it: if
   * logins are on, or an address is not a loopback one.
   */

  private static final String SECURING =
      "--cluster-secret-file FILE, or --cluster-tls-keystore FILE with --cluster-tls-truststore"
          + " FILE";

  /**
   * The decision.
   *
   * @param cluster the configuration of the cluster, or null if the port stays closed
   * @param warnings lines for the log that an operator must see
   * @param notes further lines for the log
   */
  record Decision(@Nullable ClusterConfig cluster, List<String> warnings, List<String> notes) {
    Decision {
      warnings = List.copyOf(warnings);
      notes = List.copyOf(notes);
    }
  }

  private final ServerOptions options;
  private final @Nullable ServerDocument document;
  private final ClusterConfig config;
  private final String bindAddress;
  private final boolean hasLogin;

  /**
   * Prepares a decision.
   *
   * @param config the configuration of the node
   * @param bindAddress the address for clients
   * @param hasLogin whether clients must log in
   */
  ClusterPort(
      ServerOptions options,
      @Nullable ServerDocument document,
      ClusterConfig config,
      String bindAddress,
      boolean hasLogin) {
    this.options = options;
    this.document = document;
    this.config = config;
    this.bindAddress = bindAddress;
    this.hasLogin = hasLogin;
  }

  /**
   * Decides.
   *
   * @throws InvalidRequestException if the configuration asks for a cluster whose port untrusted
   *     hosts could reach
   */
  Decision decide() {
    String exposure = config.tls() == null && config.secret() == null ? exposure() : null;
    if (exposure == null) {
      return new Decision(config, readableSecret(), List.of());
    }
    if (options.cluster().isInsecure()) {
      return new Decision(config, List.of(insecure(exposure)), List.of());
    }
    if (options.cluster().wantsCluster() || transport().wantsCluster()) {
      throw new InvalidRequestException(
          "cluster port would be open to strangers: %s; give %s, or --cluster-insecure to open it"
                  .formatted(exposure, SECURING)
              + " all the same, or --no-cluster");
    }
    String alone =
        "no cluster port is opened, since nothing would keep strangers out of it: %s; to form a"
                .formatted(exposure)
            + " cluster, give all servers --join HOST:PORT,... and "
            + SECURING;
    return isClusterNamed()
        ? new Decision(null, List.of(alone), List.of())
        : new Decision(null, List.of(), List.of(alone));
  }

  /** A warning if other users of the machine can read the secret. */
  private List<String> readableSecret() {
    Path file = config.secret() == null ? null : ClusterSettings.secretFile(options, document);
    if (file == null) {
      return List.of();
    }
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)
          ? List.of(
              "secret of the cluster can be read by all users of this machine: file=%s; take the"
                      .formatted(file)
                  + " permission away, as by chmod 600")
          : List.of();
    } catch (IOException | UnsupportedOperationException unknown) {
      return List.of(); // a file system without such permissions
    }
  }

  private static String insecure(String exposure) {
    return "cluster port open to strangers (--cluster-insecure): %s; whoever reaches it can read"
            .formatted(exposure)
        + " and change everything, so let only trusted machines, or give "
        + SECURING;
  }

  /** The reason why untrusted hosts may reach the port, or null if they can't. */
  private @Nullable String exposure() {
    if (hasLogin) {
      return "login=on";
    }
    if (!isLoopback(bindAddress, "--bind")) {
      return "bind=" + bindAddress;
    }
    String clusterBind = options.cluster().bindAddress();
    if (clusterBind != null && !isLoopback(clusterBind, "--cluster-bind")) {
      return "cluster-bind=" + clusterBind;
    }
    Path stack = config.stackFile();
    return stack == null || StackFile.isOnLoopback(stack) ? null : "cluster-stack=" + stack;
  }

  private static boolean isLoopback(String host, String option) {
    return HostAddresses.resolve(host, option).isLoopbackAddress();
  }

  private ClusterTransport transport() {
    return document == null ? ClusterTransport.NONE : document.transport();
  }

  /** Whether an option or the document names a cluster without a way to find or trust its nodes. */
  private boolean isClusterNamed() {
    return options.clusterName() != null
        || !transport().equals(ClusterTransport.NONE)
        || (document != null
            && (document.container().clusterName() != null
                || document.container().nodeName() != null));
  }
}

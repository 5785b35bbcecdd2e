package dev.isogrid.server;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.GridConfig;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.ReadContext;
import dev.isogrid.server.net.CacheCatalog;
import dev.isogrid.server.security.QuickUsers;
import dev.isogrid.server.security.Users;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server with a login, and its users: one of each predefined role, named like the role, and
 * {@link #ROLELESS}, who has none. All have the same password.
 */
final class SecuredServer implements AutoCloseable {
  static final String ROLELESS = "none";
  static final List<String> ROLES =
      List.of("admin", "deployer", "application", "observer", "monitor");
  static final String PASSWORD = "secret";

  /** The cache of a document without settings. */
  static final CacheConfig LOCAL =
      CacheDocument.read("{\"local-cache\":{}}", null, ReadContext.empty()).config();

  private final Server server;
  private final Map<String, RestCaller> callers = new HashMap<>();
  private HttpClient.Version version = HttpClient.Version.HTTP_1_1;

  private SecuredServer(Server server) {
    this.server = server;
  }

  /**
   * Starts a server on loopback that takes passwords in clear text.
   *
   * @param folder an empty one, for the users
   * @param options further options of the command line
   */
  static SecuredServer start(Path folder, String... options) {
    Users users = QuickUsers.in(folder, "default");
    users.create(ROLELESS, PASSWORD, List.of());
    ROLES.forEach(role -> users.create(role, PASSWORD, List.of(role)));
    List<String> all =
        new ArrayList<>(
            List.of("--auth", "--allow-clear-text", "--no-cluster", "--conf", folder.toString()));
    all.addAll(List.of(options));
    PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
    ServerSettings read =
        ServerSettings.of(
            Objects.requireNonNull(
                new CommandLineParser().parse(all.toArray(String[]::new), nowhere)),
            null);
    ServerSettings settings =
        new ServerSettings(
            read.bindAddress(),
            0,
            0,
            read.external(),
            GridConfig.builder().build(),
            null,
            read.tasksDirectory(),
            read.caches(),
            read.protocols(),
            read.protection(),
            read.warnings());
    return new SecuredServer(Server.start(settings));
  }

  Server server() {
    return server;
  }

  private CacheCatalog catalog() {
    return server.catalog();
  }

  /** Creates a cache that has an alias, unless it exists. */
  void create(String name, CacheConfig config, String alias) {
    catalog().getOrCreateVolatile(name, config);
    catalog().assignAlias(alias, name);
  }

  /** The configuration of a cache, which must exist. */
  CacheConfig config(String name) {
    return Objects.requireNonNull(catalog().config(name));
  }

  /** The name of the cache of an alias. */
  @Nullable String aliased(String alias) {
    return catalog().aliased(alias);
  }

  /** Lets callers of REST speak a version of HTTP from now on. */
  void version(HttpClient.Version spoken) {
    version = spoken;
    callers.values().forEach(RestCaller::close);
    callers.clear();
  }

  /**
   * A REST client, which keeps the connection.
   *
   * @param user empty for none
   */
  RestCaller rest(String user) {
    RestCaller caller =
        callers.computeIfAbsent(user, u -> new RestCaller(server.address(), u, PASSWORD, version));
    return caller.flags("");
  }

  @Override
  public void close() {
    server.close();
    callers.values().forEach(RestCaller::close);
  }
}

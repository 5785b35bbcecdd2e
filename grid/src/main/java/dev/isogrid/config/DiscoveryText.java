package dev.isogrid.config;

import dev.isogrid.api.ClusterDiscovery;
import dev.isogrid.api.InvalidRequestException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The discovery of other nodes, as one word of a command line or of a document. */
public final class DiscoveryText {
  /** The possible words. */
  public static final String FORM =
      "multicast, multicast:ADDRESS:PORT, dns:NAME, dns:NAME/SRV, dns:NAME@SERVER:PORT,"
          + " folder:DIR or database:URL";

  /** The default multicast group: one of those within a site. */
  private static final ClusterDiscovery.Multicast MULTICAST =
      new ClusterDiscovery.Multicast("239.78.0.1", 7811);

  private static final Set<String> RECORD_TYPES = Set.of("A", "AAAA", "SRV");
  private static final int PORT_MAX = 65_535;

  private DiscoveryText() {}

  /**
   * The login to a database.
   *
   * @param user null for none
   * @param password null for none
   * @param driver the class of the driver for JDBC, or null
   */
  public record Login(@Nullable String user, @Nullable String password, @Nullable String driver) {
    /** No login. */
    public static final Login NONE = new Login(null, null, null);

    boolean isEmpty() {
      return user == null && password == null && driver == null;
    }

    /** The text has no password. */
    @Override
    public String toString() {
      return "Login[user=" + user + ", driver=" + driver + "]";
    }
  }

  /**
   * Reads a word.
   *
   * @param login for a database
   * @throws InvalidRequestException if it is none of {@link #FORM}; the message names the problem
   */
  public static ClusterDiscovery read(String text, Login login) {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String rest = colon < 0 ? "" : text.substring(colon + 1);
    if (!kind.equals("database") && !login.isEmpty()) {
      throw invalid(text, "user, password and driver are for a database only");
    }
    return switch (kind) {
      case "multicast" -> colon < 0 ? MULTICAST : multicast(text, rest);
      case "dns" -> dns(text, rest);
      case "folder" -> folder(text, rest);
      case "database" -> database(text, rest, login);
      default -> throw invalid(text, "unknown kind: " + kind);
    };
  }

  private static ClusterDiscovery multicast(String text, String rest) {
    int colon = rest.lastIndexOf(':');
    if (colon < 1) {
      throw invalid(text, "address and port expected");
    }
    return new ClusterDiscovery.Multicast(
        rest.substring(0, colon), port(text, rest.substring(colon + 1)));
  }

  private static int port(String text, String digits) {
    int port;
    try {
      port = Integer.parseInt(digits);
    } catch (NumberFormatException _) {
      port = 0;
    }
    if (port < 1 || port > PORT_MAX) {
      throw invalid(text, "port %s is not from 1 to %d".formatted(digits, PORT_MAX));
    }
    return port;
  }

  private static ClusterDiscovery dns(String text, String rest) {
    int at = rest.indexOf('@');
    String server = at < 0 ? null : rest.substring(at + 1);
    String query = at < 0 ? rest : rest.substring(0, at);
    int slash = query.indexOf('/');
    String type = slash < 0 ? "A" : query.substring(slash + 1);
    String name = slash < 0 ? query : query.substring(0, slash);
    if (name.isBlank()) {
      throw invalid(text, "name expected");
    }
    if (!RECORD_TYPES.contains(type)) {
      throw invalid(text, "type of record %s is not A, AAAA or SRV".formatted(type));
    }
    if (server != null) {
      int colon = server.lastIndexOf(':');
      port(text, colon < 1 ? "" : server.substring(colon + 1));
    }
    return new ClusterDiscovery.Dns(name, type, server);
  }

  private static ClusterDiscovery folder(String text, String rest) {
    if (rest.isBlank()) {
      throw invalid(text, "folder expected");
    }
    try {
      return new ClusterDiscovery.SharedFolder(Path.of(rest));
    } catch (InvalidPathException wrong) {
      throw invalid(text, "no path: " + wrong.getReason());
    }
  }

  private static ClusterDiscovery database(String text, String rest, Login login) {
    String driver = login.driver();
    if (!rest.startsWith("jdbc:")) {
      throw invalid(text, "URL for JDBC expected, as jdbc:postgresql://HOST/NAME");
    }
    if (driver == null) {
      throw invalid(text, "it needs the class of a driver, which is on the class path");
    }
    String user = login.user();
    String password = login.password();
    return new ClusterDiscovery.Database(
        rest, user == null ? "" : user, password == null ? "" : password, driver);
  }

  private static InvalidRequestException invalid(String text, String why) {
    return new InvalidRequestException(
        "invalid discovery: %s; %s; give %s".formatted(text, why, FORM));
  }
}

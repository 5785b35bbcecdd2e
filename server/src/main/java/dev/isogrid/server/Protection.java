package dev.isogrid.server;

import dev.isogrid.server.security.ClientCertificates;
import dev.isogrid.server.security.Roles;
import dev.isogrid.server.security.SecuritySettings;
import dev.isogrid.server.security.TlsSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a server is protected.
 *
 * @param security who may use it
 * @param tls how connections are encrypted, or null if they are not
 */
public record Protection(SecuritySettings security, @Nullable TlsSettings tls) {
  /** Not at all. */
  public static final Protection NONE = new Protection(SecuritySettings.off(Path.of("conf")), null);

  /** What a command line says. */
  static Protection of(ServerOptions options) {
    SecurityOptions given = options.security();
    Path folder = ConfFolder.of(given.conf(), options.dataDirectory());
    TlsSettings tls = tls(given);
    if (!given.auth()) {
      return new Protection(SecuritySettings.off(folder), tls);
    }
    SecuritySettings.Login login =
        new SecuritySettings.Login(
            given.realm() == null ? SecuritySettings.REALM : given.realm(),
            given.serverName() == null ? SecuritySettings.SERVER_NAME : given.serverName(),
            true,
            given.allowClearText(),
            given.mechanisms(),
            given.tokens(),
            tls != null && tls.trust() != null);
    return new Protection(new SecuritySettings(login, Roles.PREDEFINED, true, folder), tls);
  }

  private static @Nullable TlsSettings tls(SecurityOptions given) {
    TlsSettings.Key key = given.key();
    if (key == null) {
      return null;
    }
    ClientCertificates wanted = given.clientCertificates();
    if (wanted == null) {
      wanted = given.trust() == null ? ClientCertificates.NONE : ClientCertificates.WANTED;
    }
    return new TlsSettings(key, given.trust(), wanted);
  }
}

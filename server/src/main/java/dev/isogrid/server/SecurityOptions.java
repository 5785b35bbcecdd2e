package dev.isogrid.server;

import dev.isogrid.server.security.ClientCertificates;
import dev.isogrid.server.security.Mechanism;
import dev.isogrid.server.security.TlsSettings;
import dev.isogrid.server.security.TokenSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line for security. A missing option is null or false.
 *
 * @param auth {@code --auth}: clients must log in
 * @param conf {@code --conf}: the folder of the users' file
 * @param realm {@code --auth-realm}
 * @param serverName {@code --auth-server-name}
 * @param mechanisms {@code --auth-mechanisms}
 * @param allowClearText {@code --allow-clear-text}: passwords need no TLS
 * @param key {@code --tls-keystore}, or {@code --tls-certificate} and {@code --tls-key}
 * @param trust {@code --tls-trust}
 * @param clientCertificates {@code --tls-client-certificates}
 * @param tokens {@code --token-public-key} or {@code --token-secret}
 * @param tokenFileRoles {@code --token-file-roles}, for the tokens of a document as well
 * @param limits {@code --connections-per-address}, {@code --request-memory-max} and {@code
 *     --cors-origin}
 */
record SecurityOptions( // tidy: the options of one command line
    boolean auth,
    @Nullable String conf,
    @Nullable String realm,
    @Nullable String serverName,
    @Nullable List<Mechanism> mechanisms,
    boolean allowClearText,
    TlsSettings.@Nullable Key key,
    TlsSettings.@Nullable Trust trust,
    @Nullable ClientCertificates clientCertificates,
    @Nullable TokenSettings tokens,
    boolean tokenFileRoles,
    AccessLimits limits) {
  /** No options. */
  static final SecurityOptions NONE =
      new SecurityOptions(
          false, null, null, null, null, false, null, null, null, null, false, AccessLimits.USUAL);
}

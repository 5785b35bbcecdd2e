package dev.isogrid.server.security;

import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a client's connection.
 *
 * @param id of the connection on this server
 * @param protocol of the connection
 * @param user the user of the login, or null
 * @param local the address on this side
 * @param remote the address of the client
 * @param sinceMillis the beginning of the protocol, milliseconds since 1970
 * @param tlsProtocol such as {@code TLSv1.3}; null without TLS
 * @param cipherSuite null without TLS
 */
public record Connected(
    long id,
    String protocol,
    @Nullable String user,
    String local,
    String remote,
    long sinceMillis,
    @Nullable String tlsProtocol,
    @Nullable String cipherSuite) {}

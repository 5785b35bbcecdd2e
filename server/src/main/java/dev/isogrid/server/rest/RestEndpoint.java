package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerContext;

/**
 * What all connections of the endpoint share.
 *
 * @param server whose endpoint it is
 * @param routes the administrative requests
 * @param rules which web pages may use it
 * @param console the files of the web console
 */
record RestEndpoint(
    ServerContext server, AdminRoutes routes, WebRules rules, ConsoleFiles console) {}

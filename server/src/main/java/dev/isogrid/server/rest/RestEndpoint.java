package dev.isogrid.server.rest;

import dev.isogrid.server.net.ServerContext;

/**
 * The shared parts of all connections of the endpoint.
 *
 * @param server the server of the endpoint
 * @param routes the administrative requests
 * @param rules the rules for web pages
 * @param console the files of the web console
 */
record RestEndpoint(
    ServerContext server, AdminRoutes routes, WebRules rules, ConsoleFiles console) {}

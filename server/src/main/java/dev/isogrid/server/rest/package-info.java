/** The REST endpoint: caches, their entries and the node itself over HTTP/1.1. */
@NullMarked
package dev.isogrid.server.rest;

import org.jspecify.annotations.NullMarked;

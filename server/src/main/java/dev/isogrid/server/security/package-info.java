/** Logins of clients, their permissions, and encryption. */
@NullMarked
package dev.isogrid.server.security;

import org.jspecify.annotations.NullMarked;

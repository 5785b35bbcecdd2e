/** Archives of the resources of a server or its cluster, made and restored while it serves. */
@NullMarked
package dev.isogrid.server.backup;

import org.jspecify.annotations.NullMarked;

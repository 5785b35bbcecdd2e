package dev.isogrid.verify.architecture.bad.server.memcached;

import dev.isogrid.verify.architecture.bad.server.hotrod.Frame;

/** Knows another protocol. */
interface Line extends Frame {}

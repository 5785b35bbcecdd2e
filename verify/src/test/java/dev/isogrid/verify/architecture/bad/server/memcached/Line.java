package dev.isogrid.verify.architecture.bad.server.memcached;

import dev.isogrid.verify.architecture.bad.server.hotrod.Frame;

/** Uses another protocol. */
interface Line extends Frame {}

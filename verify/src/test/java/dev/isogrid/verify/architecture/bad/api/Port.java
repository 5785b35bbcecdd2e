package dev.isogrid.verify.architecture.bad.api;

import io.netty.channel.Channel;

/** Uses a library where none may be used. */
interface Port {
  Channel channel();
}

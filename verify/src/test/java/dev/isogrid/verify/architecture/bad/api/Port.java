package dev.isogrid.verify.architecture.bad.api;

import io.netty.channel.Channel;

/** Uses a library without permission. */
interface Port {
  Channel channel();
}

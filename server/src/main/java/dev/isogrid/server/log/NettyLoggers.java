package dev.isogrid.server.log;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;

/** Makes Netty log through {@link System.Logger}. */
public final class NettyLoggers extends InternalLoggerFactory {
  private NettyLoggers() {}

  /** Installs the logging for all later events; call this before the first use of Netty. */
  public static void install() {
    InternalLoggerFactory.setDefaultFactory(new NettyLoggers());
  }

  @Override
  protected InternalLogger newInstance(String name) {
    return new NettyLogger(name);
  }
}

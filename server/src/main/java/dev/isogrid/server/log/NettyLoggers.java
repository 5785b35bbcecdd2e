package dev.isogrid.server.log;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;

/** Lets Netty log through {@link System.Logger}. */
public final class NettyLoggers extends InternalLoggerFactory {
  private NettyLoggers() {}

  /** Takes effect for what Netty logs from now on; to be called before Netty is used. */
  public static void install() {
    InternalLoggerFactory.setDefaultFactory(new NettyLoggers());
  }

  @Override
  protected InternalLogger newInstance(String name) {
    return new NettyLogger(name);
  }
}

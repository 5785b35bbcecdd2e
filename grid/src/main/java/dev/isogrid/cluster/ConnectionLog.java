package dev.isogrid.cluster;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Locale;
import java.util.Set;
import org.jgroups.JChannel;
import org.jgroups.blocks.cs.BaseServer;
import org.jgroups.logging.Log;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.Protocol;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for the log of what JGroups listens with, which has a line for each connection that
 * sends garbage: counts them, and logs one now and then.
 */
final class ConnectionLog implements InvocationHandler {
  private static final Set<String> WARNINGS =
      Set.of("warn", "error", "fatal", "failSafeWarn", "failSafeError");

  /** What FD_SOCK2 says fits into a kilobyte; more is a stranger's attempt to take memory. */
  static final int FAILURE_PACKET_BYTES_MAX = 16 << 10;

  private final Log all;
  private final LossLog losses;

  private ConnectionLog(Log all, LossLog losses) {
    this.all = all;
    this.losses = losses;
  }

  /**
   * Lets a connected channel complain to a log of losses, and bounds what its failure detection
   * reads, which nothing else does.
   */
  static void limit(JChannel channel, LossLog losses) {
    limit(server(channel.getProtocolStack().getTransport(), "server"), losses);
    BaseServer detection = server(channel.getProtocolStack().findProtocol(FD_SOCK2.class), "srv");
    limit(detection, losses);
    if (detection != null) {
      detection.setMaxLength(FAILURE_PACKET_BYTES_MAX);
    }
  }

  /** The server socket of a protocol, or null. */
  static @Nullable BaseServer server(@Nullable Protocol protocol, String field) {
    // JGroups has no other way to it
    Field found = protocol == null ? null : Util.getField(protocol.getClass(), field);
    return found != null && Util.getField(found, protocol) instanceof BaseServer server
        ? server
        : null;
  }

  private static void limit(@Nullable BaseServer server, LossLog losses) {
    if (server != null) {
      Class<?>[] type = {Log.class};
      server.log(
          (Log)
              Proxy.newProxyInstance(
                  Log.class.getClassLoader(), type, new ConnectionLog(server.log(), losses)));
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (WARNINGS.contains(method.getName()) && arguments != null) {
      losses.add(() -> "trouble with a connection of the cluster: reason=" + text(arguments));
      return null;
    }
    try {
      return method.invoke(all, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static String text(Object[] arguments) {
    String format = String.valueOf(arguments[0]);
    if (arguments.length == 1) {
      return format;
    }
    return arguments[1] instanceof Object[] values
        ? String.format(Locale.ROOT, format, values)
        : format + ": " + arguments[1];
  }
}

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

  private final Log all;
  private final LossLog losses;

  private ConnectionLog(Log all, LossLog losses) {
    this.all = all;
    this.losses = losses;
  }

  /** Has a connected channel complain to a log of losses. */
  static void limit(JChannel channel, LossLog losses) {
    limit(channel.getProtocolStack().getTransport(), "server", losses);
    limit(channel.getProtocolStack().findProtocol(FD_SOCK2.class), "srv", losses);
  }

  private static void limit(@Nullable Protocol protocol, String field, LossLog losses) {
    // JGroups has no other way to it
    Field found = protocol == null ? null : Util.getField(protocol.getClass(), field);
    if (found != null && Util.getField(found, protocol) instanceof BaseServer server) {
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

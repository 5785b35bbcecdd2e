package dev.isogrid.client;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Whether native libraries may be loaded without a warning of the JVM on the console, which Java 24
 * and newer print unless {@code --enable-native-access} names the caller. Stateless.
 */
final class NativeAccess {
  /** The first version that warns. */
  private static final int WARNING_SINCE = 24;

  private NativeAccess() {}

  /** Whether the module of Netty may load them. */
  static boolean isQuiet() {
    return Runtime.version().feature() < WARNING_SINCE
        || isEnabled(FastThreadLocalThread.class.getModule());
  }

  /** {@code Module.isNativeAccessEnabled}, which Java 17 does not have. */
  private static boolean isEnabled(Module module) {
    try {
      return (boolean)
          MethodHandles.publicLookup()
              .findVirtual(
                  Module.class, "isNativeAccessEnabled", MethodType.methodType(boolean.class))
              .invokeExact(module);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable missing) { // tidy: what calls of method handles declare
      throw new IllegalStateException("a Java of this version has this method", missing);
    }
  }
}

package dev.isogrid.client;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Tells threads apart. Stateless. */
final class ThreadKind {
  /** {@code Thread.isVirtual}, which Java 17 does not have; null there. */
  private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

  private ThreadKind() {}

  private static @Nullable MethodHandle isVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException | IllegalAccessException before21) {
      return null;
    }
  }

  /**
   * Returns whether this thread may wait in select: it is no virtual thread, whose carrier that
   * might hold, and no thread of an event loop.
   */
  static boolean mayWatch() {
    return !EventLoop.isOwnThread() && (IS_VIRTUAL == null || !isVirtual(IS_VIRTUAL));
  }

  private static boolean isVirtual(MethodHandle handle) {
    try {
      return (boolean) handle.invokeExact(Thread.currentThread());
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) { // tidy: what calls of method handles declare
      throw new IllegalStateException("isVirtual throws nothing", impossible);
    }
  }
}

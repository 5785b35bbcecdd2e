package org.infinispan.security;

import java.security.Principal;
import java.security.PrivilegedAction;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * In the place of Infinispan 8's class of this name, which asks the JVM who is logged in by a
 * method that fails since JDK 24. Here nobody ever is, as in all that is measured. Thread-safe.
 */
public final class Security {
  private Security() {}

  /** Does it. */
  public static <T> T doPrivileged(PrivilegedAction<T> action) {
    return action.run();
  }

  /**
   * Does it.
   *
   * @throws PrivilegedActionException if it throws a checked exception, which is the cause
   */
  public static <T> T doPrivileged(PrivilegedExceptionAction<T> action)
      throws PrivilegedActionException {
    try {
      return action.run();
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception failure) {
      throw new PrivilegedActionException(failure);
    }
  }

  /** Does it, whoever it is for. */
  public static <T> T doAs(@Nullable Subject subject, PrivilegedAction<T> action) {
    return action.run();
  }

  /** As {@link #doPrivileged(PrivilegedExceptionAction)}, whoever it is for. */
  public static <T> T doAs(@Nullable Subject subject, PrivilegedExceptionAction<T> action)
      throws PrivilegedActionException {
    return doPrivileged(action);
  }

  /** True: nothing is refused. */
  public static boolean isPrivileged() {
    return true;
  }

  /** Null: nobody is logged in. */
  public static @Nullable Subject getSubject() {
    return null;
  }

  /** Null, as {@link #getSubject} is. */
  public static @Nullable Principal getSubjectUserPrincipal(@Nullable Subject subject) {
    return null;
  }
}

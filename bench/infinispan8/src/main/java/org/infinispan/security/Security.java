package org.infinispan.security;

import java.security.Principal;
import java.security.PrivilegedAction;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Replaces Infinispan 8's class of this name, which asks the JVM for the login by a method that
 * fails since JDK 24. Here nobody is logged in, as in all measurements. Thread-safe.
 */
public final class Security {
  private Security() {}

  /** Runs an action. */
  public static <T> T doPrivileged(PrivilegedAction<T> action) {
    return action.run();
  }

  /**
   * Runs an action.
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

  /** Runs an action; the subject makes no difference. */
  public static <T> T doAs(@Nullable Subject subject, PrivilegedAction<T> action) {
    return action.run();
  }

  /** As {@link #doPrivileged(PrivilegedExceptionAction)}; the subject makes no difference. */
  public static <T> T doAs(@Nullable Subject subject, PrivilegedExceptionAction<T> action)
      throws PrivilegedActionException {
    return doPrivileged(action);
  }

  /** True: nothing is refused. */
  public static boolean isPrivileged() {
    return true;
  }

  /** Null: there is no login. */
  public static @Nullable Subject getSubject() {
    return null;
  }

  /** Null, as {@link #getSubject} is. */
  public static @Nullable Principal getSubjectUserPrincipal(@Nullable Subject subject) {
    return null;
  }
}

package dev.isogrid.testkit;

import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the methods of an API, each as often as it has parameters that must not be null, with null
 * for one of them. The method, the future or what is built by the builder that it returns, must
 * fail with a {@link NullPointerException} whose message is the name of the parameter, the last
 * word of that name, or for a setter its own name. Needs classes that were compiled with the names
 * of parameters.
 */
public final class NullArguments {
  private final Map<Class<?>, Object> values = new HashMap<>();
  private final Set<String> leftOut;
  private final List<String> failures = new ArrayList<>();
  private int calls;

  /**
   * Begins without calls.
   *
   * @param leftOut names of methods that are not called, or of a method and its parameter that may
   *     be null, with a dot between them
   */
  public NullArguments(String... leftOut) {
    this.leftOut = Set.of(leftOut);
    values.put(String.class, "x");
    values.put(Object.class, "x");
    values.put(Map.class, Map.of());
    values.put(Set.class, Set.of());
    values.put(List.class, List.of());
    values.put(Collection.class, List.of());
  }

  /** Sets the argument for other parameters of a type. Interfaces and enums need none. */
  public <T> NullArguments with(Class<T> type, T value) {
    values.put(type, value);
    return this;
  }

  /** Calls the public methods of this product that an object has by a type. */
  public void check(Class<?> type, Supplier<? extends @Nullable Object> target) {
    for (Method method : type.getMethods()) {
      boolean isOurs = method.getDeclaringClass().getName().startsWith("dev.isogrid.");
      boolean isCalled = isOurs && !method.isBridge() && !leftOut.contains(method.getName());
      if (isCalled && !Modifier.isStatic(method.getModifiers())) {
        check(method, target);
      }
    }
  }

  /** Calls the public static methods of a class. */
  public void checkStatic(Class<?> type) {
    for (Method method : type.getDeclaredMethods()) {
      int modifiers = method.getModifiers();
      boolean isCalled = Modifier.isPublic(modifiers) && Modifier.isStatic(modifiers);
      if (isCalled && !method.isSynthetic() && !leftOut.contains(method.getName())) {
        check(method, () -> null);
      }
    }
  }

  private void check(Method method, Supplier<? extends @Nullable Object> target) {
    Parameter[] parameters = method.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      String place = method.getName() + "." + parameters[i].getName();
      boolean mayBeNull = isNullable(parameters[i]) || leftOut.contains(place);
      if (!parameters[i].getType().isPrimitive() && !mayBeNull) {
        @Nullable Object[] arguments = Arrays.stream(parameters).map(this::argument).toArray();
        arguments[i] = null;
        calls++;
        String outcome = outcome(method, target.get(), arguments);
        if (!isName(outcome, parameters[i].getName()) && !isName(outcome, method.getName())) {
          failures.add(method + ", null " + parameters[i].getName() + ": " + outcome);
        }
      }
    }
  }

  private static boolean isNullable(Parameter parameter) {
    for (Annotation each : parameter.getAnnotatedType().getAnnotations()) {
      if (each.annotationType().getSimpleName().equals("Nullable")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isName(String outcome, String name) {
    String known = name.toLowerCase(Locale.ROOT);
    return !outcome.isEmpty() && known.endsWith(outcome.toLowerCase(Locale.ROOT));
  }

  /** The message of the refusal, or a sentence about what happened instead. */
  private static String outcome(
      Method method, @Nullable Object target, @Nullable Object[] arguments) {
    try {
      method.setAccessible(true);
      Object result = method.invoke(target, arguments);
      if (result instanceof CompletableFuture<?> future) {
        result = future.orTimeout(Await.PATIENCE.toMillis(), TimeUnit.MILLISECONDS).join();
      }
      if (result != null && result.getClass().getSimpleName().endsWith("Builder")) {
        result = result.getClass().getMethod("build").invoke(result);
      }
      return "was taken, result: " + result;
    } catch (InvocationTargetException failure) {
      return message(failure.getCause());
    } catch (CompletionException failure) {
      return message(failure.getCause());
    } catch (ReflectiveOperationException failure) {
      throw new LinkageError("not called: " + method, failure);
    }
  }

  private static String message(@Nullable Throwable failure) {
    return failure instanceof NullPointerException
        ? String.valueOf(failure.getMessage())
        : String.valueOf(failure);
  }

  private Object argument(Parameter parameter) {
    Class<?> type = parameter.getType();
    if (values.containsKey(type)) {
      return values.get(type);
    }
    if (type.isPrimitive()) {
      return Array.get(oneOf(type), 0);
    }
    if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 0);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isInterface()) {
      return function(type);
    }
    throw new AssertionError("no argument: type=" + type.getName() + "; give one by with");
  }

  /** An array of one element, which is 1 if it is a number. */
  private static Object oneOf(Class<?> primitive) {
    Object array = Array.newInstance(primitive, 1);
    if (primitive != boolean.class && primitive != char.class) {
      Array.setByte(array, 0, (byte) 1);
    }
    return array;
  }

  /** A function that does nothing. */
  private static Object function(Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          Class<?> result = method.getReturnType();
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          return switch (method.getName()) {
            case "equals" -> false;
            case "toString" -> "function";
            default ->
                result.isPrimitive() && result != void.class
                    ? Array.get(Array.newInstance(result, 1), 0)
                    : null;
          };
        });
  }

  /**
   * Fails unless all calls were refused by name.
   *
   * @throws AssertionError with all others, or if nothing was called
   */
  public void assertAllNamed() {
    if (calls == 0 || !failures.isEmpty()) {
      throw new AssertionError(
          "null arguments not named: calls=%d, failures=%d\n%s"
              .formatted(calls, failures.size(), String.join("\n", failures)));
    }
  }
}

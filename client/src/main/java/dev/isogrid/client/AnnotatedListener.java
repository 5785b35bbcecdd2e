package dev.isogrid.client;

import java.lang.annotation.Annotation;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Calls the methods of a {@link ClientListener} for the events that their annotations name. */
final class AnnotatedListener<K, V> implements EntryListener<K, V> {
  private static final Map<Class<? extends Annotation>, EntryEvent.Kind> KINDS =
      Map.of(
          ClientCacheEntryCreated.class, EntryEvent.Kind.CREATED,
          ClientCacheEntryModified.class, EntryEvent.Kind.MODIFIED,
          ClientCacheEntryRemoved.class, EntryEvent.Kind.REMOVED,
          ClientCacheEntryExpired.class, EntryEvent.Kind.EXPIRED);

  private final Object user;
  private final Map<EntryEvent.Kind, List<Method>> methods = new EnumMap<>(EntryEvent.Kind.class);
  private final List<Method> ofInterruptions = new ArrayList<>();

  /**
   * Finds the methods.
   *
   * @throws IllegalArgumentException if there are none, or one can't be called
   */
  AnnotatedListener(Object user) {
    this.user = user;
    for (Class<?> type = user.getClass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        KINDS.forEach((mark, kind) -> {
          if (method.isAnnotationPresent(mark)) {
            check(method, mark, EntryEvent.class);
            methods.computeIfAbsent(kind, k -> new ArrayList<>()).add(method);
          }
        });
        if (method.isAnnotationPresent(ClientCacheFailover.class)) {
          check(method, ClientCacheFailover.class, EntryListener.Interruption.class);
          ofInterruptions.add(method);
        }
      }
    }
    if (!user.getClass().isAnnotationPresent(ClientListener.class) || methods.isEmpty()) {
      throw new IllegalArgumentException(
          "not a listener: class=%s; mark it with @ClientListener, and methods with"
                  .formatted(user.getClass().getName())
              + " @ClientCacheEntryCreated and the like, or implement EntryListener");
    }
  }

  private static void check(Method method, Class<? extends Annotation> mark, Class<?> told) {
    boolean fits =
        Modifier.isPublic(method.getModifiers())
            && !Modifier.isStatic(method.getModifiers())
            && method.getReturnType() == void.class
            && method.getParameterCount() == 1
            && method.getParameterTypes()[0].isAssignableFrom(told);
    if (!fits) {
      throw new IllegalArgumentException(
          "wrong listener method: method=%s, annotation=@%s; write public void %s(%s event)"
              .formatted(
                  method.toGenericString(),
                  mark.getSimpleName(),
                  method.getName(),
                  told.getSimpleName()));
    }
    try {
      method.setAccessible(true); // its class need not be public
    } catch (InaccessibleObjectException cause) {
      throw new IllegalArgumentException(
          "listener's method can't be called: method=%s; open its package to the client"
              .formatted(method.toGenericString()),
          cause);
    }
  }

  /** The options that its annotation and methods ask for. */
  ListenerOptions options(Object[] filterParameters, Object[] converterParameters) {
    ClientListener wanted = user.getClass().getAnnotation(ClientListener.class);
    Set<EntryEvent.Kind> kinds = EnumSet.copyOf(methods.keySet());
    EntryEvent.Kind first = kinds.iterator().next();
    ListenerOptions options =
        ListenerOptions.DEFAULT.withKinds(first, kinds.toArray(EntryEvent.Kind[]::new));
    if (wanted.includeCurrentState()) {
      options = options.withState();
    }
    if (wanted.useRawData()) {
      options = options.withRawData();
    }
    if (!wanted.filterFactoryName().isEmpty()) {
      options = options.withFilter(wanted.filterFactoryName(), filterParameters);
    }
    if (!wanted.converterFactoryName().isEmpty()) {
      options = options.withConverter(wanted.converterFactoryName(), converterParameters);
    }
    return options;
  }

  @Override
  public void onCreated(EntryEvent<K, V> event) {
    tell(event);
  }

  @Override
  public void onModified(EntryEvent<K, V> event) {
    tell(event);
  }

  @Override
  public void onRemoved(EntryEvent<K, V> event) {
    tell(event);
  }

  @Override
  public void onExpired(EntryEvent<K, V> event) {
    tell(event);
  }

  @Override
  public void onInterrupted(Interruption interruption) {
    ofInterruptions.forEach(method -> call(method, interruption));
  }

  private void tell(EntryEvent<K, V> event) {
    methods.getOrDefault(event.kind(), List.of()).forEach(method -> call(method, event));
  }

  private void call(Method method, Object told) {
    try {
      method.invoke(user, told);
    } catch (InvocationTargetException thrown) {
      throw new HotRodClientException(
          "listener failed: method=" + method.toGenericString(), thrown.getCause());
    } catch (IllegalAccessException refused) {
      throw new HotRodClientException(
          "listener's method can't be called: method=" + method.toGenericString(), refused);
    }
  }
}

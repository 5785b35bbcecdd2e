package dev.isogrid.store;

import com.github.luben.zstd.util.Native;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.KeptCalls;
import java.util.concurrent.Executor;

/**
 * The native contexts that all containers of a node compress and expand values with. Their number
 * is bounded by the processors. Needs {@code zstd-jni}. Thread-safe; nobody waits.
 */
public final class Compressors implements AutoCloseable {
  private final Executor trainer;
  private final KeptCalls<ZstdContext> kept = new KeptCalls<>(ZstdContext::new);
  private volatile boolean closed;

  private Compressors(Executor trainer) {
    this.trainer = trainer;
  }

  /**
   * Begins without contexts.
   *
   * @param trainer runs the training of a dictionary, about 0.1 s of processor time
   * @throws InvalidRequestException if the native library is missing
   */
  public static Compressors open(Executor trainer) {
    try {
      Native.load();
    } catch (LinkageError missing) {
      throw new InvalidRequestException(
          ("values can't be compressed on this node, since its zstd library is missing: reason=%s;"
                  + " add com.github.luben:zstd-jni to the class path and let the JVM write to"
                  + " java.io.tmpdir, or set compression=NONE")
              .formatted(missing));
    }
    return new Compressors(trainer);
  }

  /** A context that is this thread's until it is given back. */
  ZstdContext take() {
    return kept.take();
  }

  void giveBack(ZstdContext context) {
    if (context.place == KeptCalls.NOWHERE) {
      context.close();
    } else {
      kept.giveBack(context.place);
    }
    if (closed) {
      kept.drain(ZstdContext::close);
    }
  }

  /** Runs a training on another thread. */
  void train(Runnable training) {
    trainer.execute(training);
  }

  /** Frees the contexts; those in use are freed when they are given back. */
  @Override
  public void close() {
    closed = true;
    kept.drain(ZstdContext::close);
  }
}

package dev.isogrid.server.security;

import dev.isogrid.base.Env;
import dev.isogrid.base.Scheduler;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The security of a server with users in a folder, whose time the test advances. */
final class PlayedServer implements AutoCloseable {
  static final long START_MILLIS = 2_000_000_000_000L;

  private final List<Runnable> periodic = new ArrayList<>();
  final Users users;
  final Security security;
  long nowMillis = START_MILLIS;

  PlayedServer(Path folder, boolean clearText, @Nullable TokenSettings tokens) {
    this.users = QuickUsers.in(folder, "default");
    SecuritySettings.Login login =
        new SecuritySettings.Login("default", "infinispan", true, clearText, null, tokens, false);
    this.security =
        new Security(
            new SecuritySettings(login, Roles.PREDEFINED, false, folder), env(), _ -> true);
  }

  Env env() {
    return new Env(
        () -> nowMillis * 1_000_000, () -> nowMillis, new SplittableRandom(1), new ByHand());
  }

  Caller caller() {
    return caller(new EmbeddedChannel(), "Hot Rod");
  }

  Caller caller(Channel channel, String protocol) {
    return security.newCaller(channel, protocol);
  }

  /** Runs the periodic tasks. */
  void tick() {
    periodic.forEach(Runnable::run);
  }

  /** Runs everything in the thread of the test. */
  private final class ByHand implements Scheduler {
    @Override
    public Task every(long periodMillis, Runnable task) {
      periodic.add(task);
      return () -> periodic.remove(task);
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void close() {}
  }

  @Override
  public void close() {
    security.close();
  }
}

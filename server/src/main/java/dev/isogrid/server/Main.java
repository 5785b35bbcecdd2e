package dev.isogrid.server;

import dev.isogrid.api.GridException;
import dev.isogrid.api.IndeterminateGridException;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.server.log.ServerLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The server as a process. */
public final class Main {
  /** The exit code for wrong options or configurations. */
  static final int EXIT_USAGE = 2;

  /** The exit code after a failure of the server's node, the same as after a JVM without heap. */
  static final int EXIT_FAILED = 3;

  /**
   * The exit code of a start that may succeed when it is repeated: the cluster or a database did
   * not answer in time.
   */
  static final int EXIT_TRY_AGAIN = 4;

  /**
   * The most bytes of a configuration file: the limit of the document reader, with four bytes per
   * character.
   */
  private static final int CONFIG_SIZE_MAX = 4 << 20;

  /** The most names of caches in the ready line. */
  private static final int NAMES_SHOWN_MAX = 10;

  private static final System.Logger log = System.getLogger(Main.class.getName());

  private Main() {}

  /** Runs a server until a signal ends the process. See {@code isogrid server --help}. */
  public static void main(String[] args) {
    ServerLog lines = ServerLog.ofProcess();
    if (lines != null) {
      lines.adoptForeign();
    }
    int code = run(args, System.out, System.err, Main::closeAtExit);
    if (code != 0) {
      System.exit(code);
    }
  }

  private static void closeAtExit(Server server) {
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("isogrid-stop").unstarted(server::close));
  }

  /**
   * Runs a server until it is closed or this thread is interrupted.
   *
   * @param started receives the server when clients can connect, before the ready line
   * @return the exit code
   */
  static int run(String[] args, PrintStream out, PrintStream err, Consumer<Server> started) {
    try {
      ServerOptions options =
          args.length == 0 ? ServerOptions.NONE : new CommandLineParser().parse(args, out);
      if (options == null) {
        return 0;
      }
      ServerSettings settings = settings(options);
      ServerLog lines = ServerLog.ofProcess();
      options.logging().apply(lines);
      String chosen = settings.grid().nodeName();
      if (lines != null && !chosen.isEmpty()) {
        lines.node(chosen); // so that lines of the start have it, too
      }
      try (Server server = Server.start(settings)) {
        if (lines != null) {
          lines.node(server.node().nodeName());
        }
        started.accept(server);
        out.println(readyLine(server));
        out.flush();
        server.node().exportIfWanted(true); // late: it takes a while
        server.awaitClosed();
        return exitCode(server.node().failure(), err);
      }
    } catch (GridException | InvalidConfigurationException failure) {
      err.println("isogrid: " + oneLine(String.valueOf(failure.getMessage())));
      log.log(Level.DEBUG, "the server can't be started", failure);
      return mayTryAgain(failure) ? EXIT_TRY_AGAIN : EXIT_USAGE;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  /** Whether a start that failed may succeed without other options. */
  private static boolean mayTryAgain(RuntimeException failure) {
    return failure instanceof RetryableGridException
        || failure instanceof IndeterminateGridException
        || failure.getCause() instanceof RetryableGridException;
  }

  /** The exit code of a closed server; prints the reason if its node failed. */
  static int exitCode(@Nullable Throwable failure, PrintStream err) {
    if (failure == null) {
      return 0;
    }
    err.println("isogrid: the node failed: " + oneLine(failure.toString()));
    return EXIT_FAILED;
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  private static ServerSettings settings(ServerOptions options) {
    String file = options.configFile();
    return ServerSettings.of(options, file == null ? null : document(file));
  }

  private static ServerDocument document(String file) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      bytes = in.readNBytes(CONFIG_SIZE_MAX + 1);
    } catch (IOException failure) {
      throw new InvalidRequestException(
          "--config %s can't be read: %s; name one that can be"
              .formatted(file, reason(Path.of(file), failure)),
          failure);
    }
    try {
      Path folder = Path.of(file).toAbsolutePath().getParent();
      ReadContext context = ReadContext.process();
      return ServerDocument.read(
          bytes, format(file), folder == null ? context : context.withIncludes(folder));
    } catch (GridException failure) {
      throw new InvalidRequestException("--config " + file + ": " + failure.getMessage(), failure);
    }
  }

  private static String reason(Path file, IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file";
    }
    if (failure instanceof AccessDeniedException) {
      return "no permission";
    }
    return Files.isDirectory(file) ? "a folder" : String.valueOf(failure.getMessage());
  }

  private static @Nullable DocumentFormat format(String file) {
    String suffix = file.substring(file.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return switch (suffix) {
      case "xml" -> DocumentFormat.XML;
      case "json" -> DocumentFormat.JSON;
      case "yaml", "yml" -> DocumentFormat.YAML;
      default -> null;
    };
  }

  private static String readyLine(Server server) {
    InetSocketAddress memcached = server.memcachedAddress();
    String also = memcached == null ? "" : " (memcached " + HostPort.of(memcached) + ")";
    Set<String> names = server.node().cacheNames();
    String shown = String.join(", ", names.stream().limit(NAMES_SHOWN_MAX).toList());
    return "isogrid %s ready on %s%s in %d ms, node %s, %d caches: %s%s"
        .formatted(
            Server.VERSION,
            HostPort.of(server.address()),
            also,
            ProcessAge.millis(),
            server.node().nodeName(),
            names.size(),
            shown,
            names.size() > NAMES_SHOWN_MAX ? ", ..." : "");
  }
}

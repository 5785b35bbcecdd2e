package dev.isogrid.server.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.util.DefaultJoranConfigurator;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Sets Logback up where nothing else does: lines on the standard error output, from {@code INFO}
 * on. A {@code logback.xml} on the class path and the system property {@code
 * logback.configurationFile} come first, as they do without this class. Logback finds it as a
 * service.
 */
@ConfiguratorRank(ConfiguratorRank.FALLBACK)
public final class DefaultLog extends ContextAwareBase implements Configurator {
  /** For the service loader. */
  public DefaultLog() {}

  @Override
  public ExecutionStatus configure(LoggerContext log) {
    DefaultJoranConfigurator files = new DefaultJoranConfigurator();
    files.setContext(log);
    ExecutionStatus status = files.configure(log);
    if (status == ExecutionStatus.INVOKE_NEXT_IF_ANY) {
      new ServerLog(log).begin();
    }
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}

package dev.isogrid.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.isogrid.api.InvalidConfigurationException;
import dev.isogrid.api.StoreContext;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The connections of a store: its own pool, or a data source of the process. */
final class Connections implements AutoCloseable {
  /** Connections of a store: few, since more connections do not make a database faster. */
  private static final int POOL_DEFAULT = 10;

  private static final int POOL_MAX = 1000;

  /** The longest wait of an operation for a connection. */
  private static final long WAIT_MILLIS = 10_000;

  private final DataSource source;
  private final @Nullable HikariDataSource pool;

  private Connections(DataSource source, @Nullable HikariDataSource pool) {
    this.source = source;
    this.pool = pool;
  }

  /**
   * Opens the connections that a configuration asks for.
   *
   * @throws InvalidConfigurationException if the driver or data source does not exist
   * @throws RuntimeException if the database can't be reached
   */
  static Connections open(StoreContext context) {
    String jndiUrl = context.property("data-source.jndi-url", "");
    if (!jndiUrl.isEmpty()) {
      return new Connections(named(jndiUrl), null);
    }
    String url = context.property("connection-url", "");
    if (url.isEmpty()) {
      throw new InvalidConfigurationException(
          "JDBC store without a database: cache=%s; give connection-url or a data source"
              .formatted(context.cache()));
    }
    HikariConfig config = new HikariConfig();
    config.setPoolName("isogrid-" + context.cache());
    config.setDataSource(new DriverSource(driver(context, url), url, login(context)));
    config.setMaximumPoolSize(number(context, "pool.max-size", POOL_DEFAULT, 1, POOL_MAX));
    config.setMinimumIdle(number(context, "pool.min-size", 1, 0, config.getMaximumPoolSize()));
    config.setConnectionTimeout(WAIT_MILLIS);
    config.setAutoCommit(true);
    HikariDataSource pool = new HikariDataSource(config);
    return new Connections(pool, pool);
  }

  @SuppressWarnings("BanJNDI") // the name is from the configuration file, not from clients
  private static DataSource named(String jndiUrl) {
    try {
      return InitialContext.doLookup(jndiUrl);
    } catch (NamingException failure) {
      throw new InvalidConfigurationException(
          "no such data source: jndi-url=%s, reason=%s; give a connection-url instead"
              .formatted(jndiUrl, failure));
    }
  }

  private static int number(StoreContext context, String name, int byDefault, int min, int max) {
    String text = context.property(name, Integer.toString(byDefault));
    try {
      int value = Integer.parseInt(text.strip());
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException malformed) {
      // refused below
    }
    throw new InvalidConfigurationException(
        "invalid JDBC store: cache=%s, %s=%s; allowed is %d to %d"
            .formatted(context.cache(), name, text, min, max));
  }

  private static Properties login(StoreContext context) {
    Properties login = new Properties();
    String user = context.property("username", "");
    String password = context.property("password", "");
    if (!user.isEmpty()) {
      login.setProperty("user", user);
    }
    if (!password.isEmpty()) {
      login.setProperty("password", password);
    }
    return login;
  }

  /**
   * The driver of a URL, from the class loader of stores. The driver manager does not see drivers
   * of that class loader.
   */
  private static Driver driver(StoreContext context, String url) {
    String wanted = context.property("driver", "");
    try {
      if (!wanted.isEmpty()) {
        return Class.forName(wanted, true, context.classes())
            .asSubclass(Driver.class)
            .getConstructor()
            .newInstance();
      }
      for (Driver driver : ServiceLoader.load(Driver.class, context.classes())) {
        if (driver.acceptsURL(url)) {
          return driver;
        }
      }
    } catch (ReflectiveOperationException | ClassCastException | SQLException failure) {
      throw noDriver(context, wanted + ", reason=" + failure);
    }
    throw noDriver(context, wanted.isEmpty() ? "any" : wanted);
  }

  private static InvalidConfigurationException noDriver(StoreContext context, String wanted) {
    return new InvalidConfigurationException(
        ("no driver for a JDBC store: cache=%s, driver=%s; put its jar on the class path, or into"
                + " the folder of --tasks")
            .formatted(context.cache(), wanted));
  }

  /** Takes a connection, which the caller closes. Waits for a free one, 10 s at most. */
  Connection take() throws SQLException {
    return source.getConnection();
  }

  @Override
  public void close() {
    if (pool != null) {
      pool.close();
    }
  }

  /** Opens connections by a driver. */
  private record DriverSource(Driver driver, String url, Properties login) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = driver.connect(url, login);
      if (connection == null) {
        throw new SQLException("driver does not know the URL: driver=" + driver.getClass());
      }
      return connection;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
      return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
      return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
      return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
      throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
      throw new SQLException("wraps nothing: type=" + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }
}

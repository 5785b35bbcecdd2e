package dev.isogrid.client;

/**
 * A request is larger than the servers' limit, {@link ClientConfig#requestBytesMax}. It was not
 * sent; write such a value by {@link RemoteCache#streaming()}.
 */
public final class RequestTooLargeException extends HotRodClientException {
  private static final long serialVersionUID = 1;

  RequestTooLargeException(String cache, String operation, long size, long limit) {
    super(
        "request too large: cache=%s, operation=%s, size=%d or more, limit=%d; write the value by"
                .formatted(cache, operation, size, limit)
            + " cache.streaming(), or let servers and client take more (requestBytesMax, property"
            + " request_bytes_max)");
  }
}

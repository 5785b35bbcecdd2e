package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1:7",
    "0.0.0.0, 0.0.0.0:7",
    "::, [::]:7",
    "::1, [::1]:7",
    "fe80::1:2, [fe80::1:2]:7",
    "2001:db8::, [2001:db8::]:7",
    "1:2:3:4:5:6:7:8, [1:2:3:4:5:6:7:8]:7"
  })
  void of_address_isAsUsersWriteIt(String host, String expected) {
    assertEquals(expected, HostPort.of(new InetSocketAddress(host, 7)));
  }
}

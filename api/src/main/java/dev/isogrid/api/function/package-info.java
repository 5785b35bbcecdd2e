/**
 * The functional interfaces of the JDK as serialisable ones: a lambda for one of them can be sent
 * to other nodes, if all that it captures can.
 */
@NullMarked
package dev.isogrid.api.function;

import org.jspecify.annotations.NullMarked;

/** Tests of the stores in databases. */
@NullMarked
package dev.isogrid.jdbc;

import org.jspecify.annotations.NullMarked;

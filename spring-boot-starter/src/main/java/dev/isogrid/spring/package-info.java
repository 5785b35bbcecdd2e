/** A grid, or a client of one, in applications of Spring Boot. */
@NullMarked
package dev.isogrid.spring;

import org.jspecify.annotations.NullMarked;

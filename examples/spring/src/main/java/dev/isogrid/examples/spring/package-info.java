/** An application of Spring Boot. */
@NullMarked
package dev.isogrid.examples.spring;

import org.jspecify.annotations.NullMarked;

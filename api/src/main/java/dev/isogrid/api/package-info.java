/**
 * The interface for users' programs: {@link dev.isogrid.api.Grid}, {@link dev.isogrid.api.Cache}
 * and the values they take and give. Runs on Java 17; needs nothing but the JDK and the JSpecify
 * annotations.
 */
@NullMarked
package dev.isogrid.api;

import org.jspecify.annotations.NullMarked;

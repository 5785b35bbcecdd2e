/** A part of Infinispan 8 that calls methods of the JVM which newer JVMs lack. */
@NullMarked
package org.infinispan.security;

import org.jspecify.annotations.NullMarked;

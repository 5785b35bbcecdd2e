/** What Infinispan 8 asks of the JVM that newer ones don't have. */
@NullMarked
package org.infinispan.security;

import org.jspecify.annotations.NullMarked;

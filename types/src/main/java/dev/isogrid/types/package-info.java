/** Own types as ProtoStream messages: records, enums, dates and collections. */
@NullMarked
package dev.isogrid.types;

import org.jspecify.annotations.NullMarked;

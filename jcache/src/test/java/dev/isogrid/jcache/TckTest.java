package dev.isogrid.jcache;

import org.junit.jupiter.api.Tag;

/** The TCK over a grid in this process. */
@Tag("deep")
class TckTest extends TckContract {}

package dev.isogrid.bench.memory;

/**
 * One measurement.
 *
 * @param set the loaded entries
 * @param row the measured library or server
 * @param number from 1
 * @param isCounted whether it goes into the average
 */
record Round(DataSet set, Row row, int number, boolean isCounted) {}

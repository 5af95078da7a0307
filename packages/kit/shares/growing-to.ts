/**
 * Options of an `LRUCache` that takes memory as it fills. With `max` it takes at once what `max` entries need: some
 * 20 ms and 3 MB for 100,000.
 *
 * @param max number of entries
 */
export function growingTo(max: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: max, sizeCalculation: () => 1 };
}

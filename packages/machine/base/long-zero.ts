const maxLongZero = (1n << 64n) - 1n;

/** An address that is the number of an entity: twelve bytes of zero before it. */
export function isLongZero(address: bigint): boolean {
  return address <= maxLongZero;
}

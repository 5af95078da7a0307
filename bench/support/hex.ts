/** The long-zero address of an entity. */
export function toAddress(id: bigint): string {
  return `0x${id.toString(16).padStart(40, '0')}`;
}

/** A quantity of JSON-RPC. */
export function toHex(value: number): string {
  return `0x${value.toString(16)}`;
}

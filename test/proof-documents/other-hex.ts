/** As long as this, and another one whatever this is. */
export function otherHex(hex: string): string {
  return `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`;
}

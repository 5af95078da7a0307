// What stands around a result.

/** `id`: as JSON. */
export function beginResult(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":`;
}

export const endResult = '}';

// What stands around a result, and an answer that is an error.
import type { RpcError } from './rpc-error.ts';

/** `id`: as JSON. */
export function beginResult(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":`;
}

export const endResult = '}';

/** `id`: as JSON. */
export function writeError(id: string, { code, message, data }: RpcError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message, data })}}`;
}

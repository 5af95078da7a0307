// Names and addresses that mean this machine, on every machine.
import { isIP } from 'node:net';

/** `localhost`, and everything below it (RFC 6761 §6.3); 127.0.0.0/8; `::1` with or without brackets. */
export function isLoopbackName(host: string): boolean {
  const bare = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  if (bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1') return true;
  return isIP(bare) === 4 && bare.startsWith('127.');
}

// Signatures by their hashes in the shape of the signature database of openchain.xyz, which Sourcify continues.
import type { SignatureLookup } from '../signature-lookup.ts';

type Found = { name: string; filtered: boolean; hasVerifiedContract: boolean };
type Answer = { status?: number; body: unknown };

/** More than any transaction has. */
const maxHashes = 100;

/**
 * `function` and `event` are lists with commas, of 4 and of 32 bytes. A hash that nothing has is null among functions
 * and an empty list among events, and so is one of the other length. `filter` leaves out junk: there is none among
 * checked contracts.
 */
export async function answerSignatures(lookup: SignatureLookup, query: URLSearchParams): Promise<Answer> {
  const functions = readHashes(query, 'function');
  const events = readHashes(query, 'event');
  const invalid = [...functions, ...events].find((hash) => !/^0x(?:[0-9a-f]{8}|[0-9a-f]{64})$/i.test(hash));
  if (invalid !== undefined) {
    const shown = invalid.slice(0, 100);
    return refuse(`Invalid hash '${shown}'. Hash must be 0x-prefixed and either be a 4 byte or 32 byte hex string.`);
  }
  if (functions.length + events.length > maxHashes)
    return refuse(`More than ${maxHashes} hashes in function and event.`);
  const find = async (hashes: string[], length: number, ask: (hash: Buffer) => Promise<string[]>, none: null | []) =>
    Object.fromEntries(
      await Promise.all(
        hashes.map(async (hash) => {
          const names = hash.length === length ? await ask(Buffer.from(hash.slice(2), 'hex')) : [];
          return [hash, names.length > 0 ? names.map(toFound) : none];
        }),
      ),
    );
  return {
    body: {
      ok: true,
      result: {
        function: await find(functions, 10, lookup.findFunctions, null),
        event: await find(events, 66, lookup.findEvents, []),
      },
    },
  };
}

/** Each once, without the empty ones. */
function readHashes(query: URLSearchParams, name: string): string[] {
  const given = (query.get(name) ?? '').split(',').map((hash) => hash.trim());
  return [...new Set(given.filter((hash) => hash !== ''))];
}

function toFound(name: string): Found {
  return { name, filtered: false, hasVerifiedContract: true };
}

function refuse(error: string): Answer {
  return { status: 400, body: { ok: false, error } };
}

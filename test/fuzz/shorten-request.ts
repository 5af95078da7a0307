// Shortens a failing request: leaves out parts, one after another, as long as it still fails.
import type { FuzzRequest } from './fuzz-request.ts';

export async function shortenRequest(
  request: FuzzRequest,
  fails: (candidate: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let shortest = request;
  for (let tries = 0; tries < 400; ) {
    let shortened = false;
    for (const candidate of shorterOnes(shortest)) {
      if (++tries > 400) return shortest;
      if (await fails(candidate)) {
        shortest = candidate;
        shortened = true;
        break;
      }
    }
    if (!shortened) return shortest;
  }
  return shortest;
}

function* shorterOnes(request: FuzzRequest): Generator<FuzzRequest> {
  const { method, path, query, headers, body } = request;
  if (method !== 'GET') yield { ...request, method: 'GET' };
  if (body !== '') yield { ...request, body: '' };
  for (const shorter of withoutParts(headers)) yield { ...request, headers: shorter };
  for (const shorter of withoutParts(query)) yield { ...request, query: shorter };
  for (const [at, pair] of query.entries()) {
    for (const shorter of shorterTexts(pair)) yield { ...request, query: query.with(at, shorter) };
  }
  for (const shorter of shorterTexts(path)) if (path[0] === shorter[0]) yield { ...request, path: shorter };
}

/** Halves first, then single ones. */
function* withoutParts<T>(parts: readonly T[]): Generator<T[]> {
  const half = Math.ceil(parts.length / 2);
  if (parts.length > 3) {
    yield parts.slice(0, half);
    yield parts.slice(half);
  }
  for (const at of parts.keys()) yield parts.toSpliced(at, 1);
}

function* shorterTexts(text: string): Generator<string> {
  for (let length = text.length >> 1; length >= 1; length >>= 1) {
    for (let at = 0; at + length <= text.length; at += length) {
      const shorter = text.slice(0, at) + text.slice(at + length);
      if (shorter.length > 1) yield shorter;
    }
    if (text.length > 200 && length < 16) return;
  }
}

// Whether an explorer's answer contains the key of the request: as it is, in other case, percent-encoded, in escapes of
// JSON (also JSON within JSON) or HTML, in base64 at any alignment, or in hex. Such an answer is not used, because
// parts of it would get into messages, logs and the store.

export function repeatsKey(text: string, key: string): boolean {
  // A shorter text is no real key, and would be found in many sources.
  if (key.length < 8) return false;
  const plain = withoutEscapes(text).replace(/\s+/g, '');
  const wanted = key.replace(/\s+/g, '');
  const lower = plain.toLowerCase();
  const isPlain = [wanted, Buffer.from(key).toString('hex')].some((form) => lower.includes(form.toLowerCase()));
  if (isPlain) return true;
  const base64 = plain.replaceAll('-', '+').replaceAll('_', '/');
  return [key, key.toLowerCase(), key.toUpperCase()].flatMap(base64Forms).some((form) => base64.includes(form));
}

const maxRounds = 5;

/** Repeats until nothing is left to unescape: double escapes are removed too. */
function withoutEscapes(text: string): string {
  let before = text;
  for (let round = 0; round < maxRounds; round++) {
    const after = before
      .replace(/\\+/g, '\\')
      .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%([0-9a-f]{2})|&#x([0-9a-f]{1,4});/gi, (_, ...digits: string[]) =>
        String.fromCharCode(Number.parseInt(digits.slice(0, 4).find((one) => one !== undefined)!, 16)),
      )
      .replace(/&#(\d{1,5});/g, (_, digits: string) => String.fromCharCode(Number(digits)))
      .replace(/\\([nrtbf])/g, '')
      .replace(/\\(["'/])/g, '$1');
    if (after === before) break;
    before = after;
  }
  return before;
}

/** The part that is the same whatever precedes and follows it, for each of the three alignments. */
function base64Forms(key: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(key)]).toString('base64');
    const whole = encoded.replace(/=+$/, '');
    const first = shift === 0 ? 0 : shift + 1;
    return whole.slice(first, encoded === whole ? undefined : -1);
  });
}

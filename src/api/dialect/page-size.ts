// A page size as the mirror node reads it: decimal digits, at least 1, within int64.
const form = /^\d{1,19}$/;
const maxInt64 = 2n ** 63n - 1n;

/** undefined = invalid. A number larger than any page may have lost digits. */
export function readPageSize(text: string): number | undefined {
  if (!form.test(text)) return undefined;
  const size = BigInt(text);
  return size >= 1n && size <= maxInt64 ? Number(size) : undefined;
}

// Small files that browsers, crawlers and finders of faults ask every site for.

/** Pages may be found; questions about the ledger have no end of pages. */
export const robots = `User-agent: *
Disallow: /api/
Disallow: /search
Disallow: /metrics
Disallow: /health/
`;

const nanosecondsPerDay = 86_400_000_000_000n;
/** RFC 9116 recommends less than a year. */
const validDays = 180n;

/** RFC 9116. `contact`: a URI; `now`: ns since 1970. The same for a whole day. */
export function formatSecurityText({ contact, now }: { contact: string; now: bigint }): string {
  const expires = new Date(Number((now / nanosecondsPerDay + validDays) * 86_400_000n));
  return `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\n`;
}

// Small files that browsers, crawlers and security researchers request from every site.

/** Pages may be indexed; queries of lists have endless pages. RFC 9309 has the wildcard. */
export const robots = `User-agent: *
Disallow: /*?
Disallow: /api/
Disallow: /hiero/
Disallow: /spec/
Disallow: /search
Disallow: /metrics
Disallow: /health/
`;

const nanosecondsPerDay = 86_400_000_000_000n;
/** RFC 9116 recommends less than a year. */
const validDays = 180n;

/** RFC 9116. `contact`: a URI; `now`: ns since 1970. Constant for a whole day. */
export function formatSecurityText({ contact, now }: { contact: string; now: bigint }): string {
  const expires = new Date(Number((now / nanosecondsPerDay + validDays) * 86_400_000n));
  return `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\n`;
}

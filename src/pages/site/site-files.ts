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

/** Two ledger columns facing each other. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57c2"/><path d="M8 9h6M8 16h6M8 23h6M18 9h6M18 16h6M18 23h6" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/><path d="M16 5v22" stroke="#fff" stroke-opacity=".5"/></svg>
`;

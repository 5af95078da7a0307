// Files of distributed storage: how addresses name them, and who serves them over HTTPS. A browser asks these hosts, and
// after a click alone.

export type Gateway = {
  /** The host. */
  name: string;
  /** Where addresses of the scheme begin. */
  base: string;
  /** As in a Content-Security-Policy: some send browsers on to a host of each file. */
  sources: readonly string[];
};

/** Of each scheme; links lead to the first one. For IPFS: two of the IPFS Foundation, and one of others. */
export const gateways = {
  ipfs: [
    { name: 'ipfs.io', base: 'https://ipfs.io/ipfs/', sources: ['https://ipfs.io'] },
    { name: 'dweb.link', base: 'https://dweb.link/ipfs/', sources: ['https://dweb.link', 'https://*.ipfs.dweb.link'] },
    {
      name: 'gateway.pinata.cloud',
      base: 'https://gateway.pinata.cloud/ipfs/',
      sources: ['https://gateway.pinata.cloud'],
    },
  ],
  ar: [
    { name: 'arweave.net', base: 'https://arweave.net/', sources: ['https://arweave.net', 'https://*.arweave.net'] },
  ],
} as const satisfies Readonly<Record<string, readonly [Gateway, ...Gateway[]]>>;

/** `rest`: what follows the gateway's base. */
export type DistributedFile = { scheme: keyof typeof gateways; rest: string };

/** The file that a text names, by its scheme or as the mere id of content; null = none. */
export function readDistributed(text: string): DistributedFile | null {
  const [, scheme, rest] = /^(ipfs|ar):\/\/(?:ipfs\/)?([A-Za-z0-9][\w./%+~-]*)$/i.exec(text) ?? [];
  if (scheme && rest) return { scheme: scheme.toLowerCase() as DistributedFile['scheme'], rest };
  const isContent = /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{56,})(?:\/[\w./%+~-]*)?$/.test(text);
  return isContent ? { scheme: 'ipfs', rest: text } : null;
}

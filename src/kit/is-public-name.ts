// Whether a host name can belong to the public internet, as far as the name itself tells. What it resolves to is another
// question, for the moment at which a connection is made.
import { isPublicAddress } from './is-public-address.ts';

/** @param hostname as `URL` gives it: lower case, no address */
export function isPublicName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  const labels = name.split('.');
  // Without a point the search list of this machine decides.
  if (labels.length < 2) return false;
  if (localDomains.some((domain) => name.endsWith(`.${domain}`))) return false;
  if (resolvers.some((domain) => name === domain || name.endsWith(`.${domain}`))) return false;
  if (metadataLabels.includes(labels[0]!)) return false;
  return [...name.matchAll(embedded)].every(([, ...bytes]) => {
    const isAddress = bytes.every((byte) => Number(byte) <= 255);
    return !isAddress || isPublicAddress(bytes.map(Number).join('.'));
  });
}

/** RFC 6761, 6762, 8375 and 9476, what ICANN keeps for private use (`internal`), and what home and office networks use. */
const localDomains = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'test',
  'invalid',
  'alt',
  'onion',
];

/** Their names resolve to the address that is written in them, or to this machine. */
const resolvers = [
  'nip.io',
  'sslip.io',
  'xip.io',
  'traefik.me',
  'backname.io',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'lacolhost.com',
  'fuf.me',
  '1u.ms',
  'rbndr.us',
];

/** First labels of the names that clouds give to their metadata service. */
const metadataLabels = ['metadata', 'instance-data'];

/** An IPv4 address within a name: `10.0.0.1.example.com`, `app-10-0-0-1.example.com`. They may overlap. */
const embedded = /(?<![0-9])(?=(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-])/g;

// Whether a host name can belong to the public internet, judged by the name alone. The addresses that it resolves to are
// checked when a connection is made.
import { isPublicAddress } from './is-public-address.ts';

/** @param hostname as `URL` gives it: lower case, no address */
export function isPublicName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  const labels = name.split('.');
  // A name without a dot depends on this machine's search list.
  if (labels.length < 2) return false;
  if (localDomains.some((domain) => name.endsWith(`.${domain}`))) return false;
  if (resolvers.some((domain) => name === domain || name.endsWith(`.${domain}`))) return false;
  if (metadataLabels.includes(labels[0]!)) return false;
  return [...name.matchAll(embedded)].every(([, ...bytes]) => {
    const isAddress = bytes.every((byte) => Number(byte) <= 255);
    return !isAddress || isPublicAddress(bytes.map(Number).join('.'));
  });
}

/** RFC 6761, 6762, 8375 and 9476, ICANN's private-use domain (`internal`), and those of home and office networks. */
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

/** Their names resolve to the address written in them, or to this machine. */
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

/** First labels of the clouds' metadata services. */
const metadataLabels = ['metadata', 'instance-data'];

/** An IPv4 address within a name: `10.0.0.1.example.com`, `app-10-0-0-1.example.com`. They may overlap. */
const embedded = /(?<![0-9])(?=(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-])/g;

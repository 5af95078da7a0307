// Whether a host name can belong to the public internet, judged by the name alone. The addresses that it resolves to
// are checked when a connection is made.
import { isPublicAddress } from './is-public-address.ts';

/** @param hostname as `URL` gives it: lower case, no address */
export function isPublicName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  const labels = name.split('.');
  // A name without a dot depends on this machine's search list.
  if (labels.length < 2 || labels.includes('')) return false;
  // Domains of the top have letters alone, or are the ASCII form of others (RFC 3696 §2).
  if (!/^(?:[a-z]{2,63}|xn--[a-z\d-]{1,59})$/.test(labels.at(-1)!)) return false;
  if (localDomains.some((domain) => name === domain || name.endsWith(`.${domain}`))) return false;
  if (resolvers.some((domain) => name === domain || name.endsWith(`.${domain}`))) return false;
  if (metadataLabels.includes(labels[0]!)) return false;
  return [...name.matchAll(embedded)].every(([, ...bytes]) => {
    const isAddress = bytes.every((byte) => Number(byte) <= 255);
    return !isAddress || isPublicAddress(bytes.map(Number).join('.'));
  });
}

/**
 * RFC 6761, 6762, 8375 and 9476, ICANN's private-use domain (`internal`), those of home and office networks, and of
 * clusters, where the rest of a name is found on a search list: `kubernetes.default.svc`, and `kubernetes.default` of
 * the usual namespace. The public DNS has none of them, but for the names of its own (`arpa`) and of a router
 * (`fritz.box`).
 */
const localDomains = [
  // Clusters and containers
  ...['svc', 'pod', 'cluster', 'default', 'kube', 'k8s', 'docker', 'container', 'swarm', 'consul', 'nomad', 'mesos'],
  ...['marathon', 'rancher', 'node'],
  // Networks
  ...['localnet', 'workgroup', 'domain', 'intra', 'server', 'vm', 'vpn', 'dmz', 'priv', 'loc', 'gateway', 'router'],
  ...['dhcp', 'mail', 'lab', 'arpa', 'fritz.box'],
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
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

// Where the service answers, whom it trusts, and how long and how often clients may ask.
import { isIP } from 'node:net';
import { integer, type Kind, onOff, port, setting, text } from '../../../../packages/kit/setting.ts';
import { commandGroups, settingsOf } from './commands.ts';
import { hostList, pageList } from './origin-kinds.ts';

const { serving, reporting } = commandGroups;

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and networks, checked and otherwise unchanged. */
const addressList: Kind<string> = {
  placeholder: '<address,...>',
  shape: `addresses or networks such as 10.0.0.0/8, or ${namedNetworks.join(', ')}, with commas between`,
  read: (given) => (given.split(',').every((entry) => isAddressOrNetwork(entry.trim())) ? given : null),
};

function isAddressOrNetwork(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const largest = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= largest);
  return namedNetworks.includes(entry) || (largest > 0 && isNetwork && more.length === 0);
}

/** Fits into a header as it is. */
const clusterName: Kind<string> = {
  placeholder: '<text>',
  shape: '1 to 100 letters, digits, dots, hyphens and underscores',
  read: (given) => (/^[\w.-]{1,100}$/.test(given) ? given : null),
};

export const listenerSettings = {
  ...settingsOf([...serving, 'doctor'], {
    port: port({ default: 5551 }, 'Port of the service; 0 takes a free one.'),
  }),
  ...settingsOf(serving, {
    'port-hiero': port(
      { min: 1 },
      'A further port of the service, on which /api/v1 is the dialect hiero, for clients that take a host and port only.',
    ),
  }),
  ...settingsOf([...serving, 'import', 'status', 'doctor'], {
    host: text(
      { placeholder: '<address>', default: '127.0.0.1' },
      'Address to listen on; 0.0.0.0 makes the service reachable from the network.',
    ),
  }),
  ...settingsOf(['serve'], {
    workers: integer(
      { min: 1, max: 256, default: 1 },
      'Number of processes that share the port. What other settings bound (database connections, client connections, memory for answers) is divided among them; rate limits are counted by each.',
    ),
  }),
  ...settingsOf([...serving, 'import'], {
    'require-proof': onOff(
      { default: false },
      'Ready (/health/readiness) only while the newest block is proved: by signatures of nodes or, of a block stream, by one of the network whose key something vouches for. Blocks are imported all the same.',
    ),
  }),
  ...settingsOf(['import'], {
    'health-port': port(
      {},
      'Port on which the import answers /health/liveness, /health/readiness and /metrics; 0 takes a free one.',
    ),
  }),
  ...settingsOf(serving, {
    'metrics-port': port(
      { defaultText: 'the port of the service' },
      'Port that answers /metrics (and /health/liveness, /health/readiness) in place of the port of the service, which then has no /metrics; 0 takes a free one.',
    ),
    'drain-time': integer(
      { unit: 'ms', min: 0, max: 600_000, default: 500 },
      'How long a service that is shutting down still accepts requests while clients have connections open. Each answer ends its connection and says so (Connection: close), and readiness is 503, so that no request is left without an answer.',
    ),
  }),
  ...settingsOf([...reporting, 'import'], {
    'cluster-id': setting(
      clusterName,
      {},
      'Name of this installation, which every answer over HTTP carries in the header x-cluster-id.',
    ),
  }),
  ...settingsOf(reporting, {
    'trust-proxy': setting(
      addressList,
      {},
      'Addresses or networks of trusted proxies. The address that they give in X-Forwarded-For is used as the address of the client, for example to count wrong tokens and for rate limits.',
    ),
    'allowed-hosts': setting(
      hostList,
      { defaultText: 'names of this machine if host is one of its own, otherwise every name' },
      'Names by which web pages may ask for more than to read: POST, PATCH, PUT and DELETE, and web sockets; others get status 403. Addresses, localhost and names below it are always among them, *.example.org is every name below example.org, * every name. To be set behind a proxy on this machine; see docs/reference/web-pages.md.',
    ),
    'allowed-origins': setting(
      pageList,
      {
        defaultText:
          'pages and browser extensions of this machine if it has no other allowed host, otherwise every page',
      },
      'Sites whose pages may ask for the same: https://app.example.org, chrome-extension://<id>, null for pages without a site, * for every page; others get status 403. Pages of the service itself always may, programs are not asked.',
    ),
    'head-timeout': integer(
      { unit: 's', min: 1, max: 3600, default: 10 },
      'How long a client may take to send the head of a request.',
    ),
    'body-timeout': integer(
      { unit: 's', min: 1, max: 3600, default: 30 },
      'How long a client may take to send the body of a request.',
    ),
    'idle-timeout': integer(
      { unit: 's', min: 1, max: 3600, default: 60 },
      'How long a connection stays open between two requests.',
    ),
    'answer-timeout': integer(
      { unit: 's', min: 1, max: 3600, default: 60 },
      'How long a client may take to receive an answer.',
    ),
    'max-connections': integer(
      { min: 1, max: 1_000_000, defaultText: 'three quarters of the open files allowed, less 64, from 16 to 4096' },
      'Maximum number of open client connections. At the limit a client with few takes the place of a connection of the client with most, the longest idle first; when all are busy, only health and metrics are answered, other requests get status 503.',
    ),
  }),
  ...settingsOf(serving, {
    'max-wait': integer(
      { unit: 'ms', min: 0, max: 60_000, default: 100 },
      'Requests that would wait longer than this for their answer, because of the others, get status 503 at once, and those that have waited longer for a connection to PostgreSQL when their turn comes; clients take turns, and one with many requests is refused first. Answers from the cache, health and metrics are not counted. 0 = no limit.',
    ),
    'rate-limit': integer(
      { min: 1, max: 1_000_000_000, defaultText: 'any number' },
      'Requests that one address (with IPv6, one /64 network) may send to this process within rate-limit-window; more get status 429.',
    ),
    'rate-limit-window': integer(
      { unit: 's', min: 1, max: 86_400, default: 60 },
      'The time in which requests are counted for rate limits.',
    ),
    'api-keys': text(
      { placeholder: '<name:key,...>', secret: true },
      'Clients that are counted by themselves and not by their address: each sends its key, of at least 16 characters, in the header X-API-Key.',
    ),
    'api-key-rate-limit': integer(
      { min: 1, max: 1_000_000_000, defaultText: 'any number' },
      'Requests with one API key within rate-limit-window.',
    ),
  }),
};

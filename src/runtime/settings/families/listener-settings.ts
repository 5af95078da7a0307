// Where the service answers, whom it trusts, and how long and how often clients may ask.
import { commandGroups } from '../command-groups.ts';
import { addressListSetting, integerSetting, textSetting } from '../setting.ts';

const { serving, reporting } = commandGroups;

export const listenerSettings = {
  port: integerSetting({
    placeholder: '<port>',
    min: 0,
    max: 65_535,
    description: 'Port of the service; 0 takes a free one.',
    commands: [...serving, 'doctor'],
    default: 5551,
  }),
  'port-hiero': integerSetting({
    placeholder: '<port>',
    min: 1,
    max: 65_535,
    description:
      'A further port of the service, on which /api/v1 is the dialect hiero, for clients that take a host and port only.',
    commands: serving,
    defaultText: 'none',
  }),
  host: textSetting({
    placeholder: '<address>',
    description: 'Address to listen on; 0.0.0.0 makes the service reachable from the network.',
    commands: [...serving, 'import', 'status', 'doctor'],
    default: '127.0.0.1',
  }),
  workers: integerSetting({
    min: 1,
    max: 256,
    description:
      'Number of processes that share the port. What other settings bound (database connections, client connections, memory for answers) is divided among them; rate limits are counted by each.',
    commands: ['serve'],
    default: 1,
  }),
  'health-port': integerSetting({
    placeholder: '<port>',
    min: 0,
    max: 65_535,
    description:
      'Port on which the import answers /health/liveness, /health/readiness and /metrics; 0 takes a free one.',
    commands: ['import'],
    defaultText: 'none',
  }),
  'metrics-port': integerSetting({
    placeholder: '<port>',
    min: 0,
    max: 65_535,
    description:
      'Port that answers /metrics (and /health/liveness, /health/readiness) in place of the port of the service, which then has no /metrics; 0 takes a free one.',
    commands: serving,
    defaultText: 'the port of the service',
  }),
  'drain-time': integerSetting({
    placeholder: '<ms>',
    min: 0,
    max: 600_000,
    description:
      'How long a service that was told to end still takes requests, while clients have connections open: each answer ends its connection and says so (Connection: close), and readiness is 503, so that nobody sends a request that is not answered.',
    commands: serving,
    default: 500,
  }),
  'trust-proxy': addressListSetting({
    description:
      'Addresses or networks of trusted proxies. The address that they give in X-Forwarded-For is used as the address of the client, for example to count wrong tokens and for rate limits.',
    commands: reporting,
    defaultText: 'none',
  }),
  'head-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a client may take to send the head of a request.',
    commands: reporting,
    default: 10,
  }),
  'body-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a client may take to send the body of a request.',
    commands: reporting,
    default: 30,
  }),
  'idle-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a connection stays open between two requests.',
    commands: reporting,
    default: 60,
  }),
  'answer-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a client may take to receive an answer.',
    commands: reporting,
    default: 60,
  }),
  'max-connections': integerSetting({
    min: 1,
    max: 1_000_000,
    description:
      'Maximum number of open client connections. At the limit the connection that has been idle longest is closed; when all are busy, only health and metrics are answered, other requests get status 503.',
    commands: reporting,
    defaultText: 'three quarters of the open files allowed, less 64, from 16 to 4096',
  }),
  'max-wait': integerSetting({
    placeholder: '<ms>',
    min: 0,
    max: 60_000,
    description:
      'Requests that would wait longer than this for their answer, because of the others, get status 503 at once, and those that have waited longer for a connection to PostgreSQL when their turn comes; at least 32 are always worked on. Answers from the cache, health and metrics are not counted. 0 = no limit.',
    commands: serving,
    default: 100,
  }),
  'rate-limit': integerSetting({
    min: 1,
    max: 1_000_000_000,
    description:
      'Requests that one address (with IPv6, one /64 network) may send to this process within rate-limit-window; more get status 429.',
    commands: serving,
    defaultText: 'any number',
  }),
  'rate-limit-window': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 86_400,
    description: 'The time in which requests are counted for rate limits.',
    commands: serving,
    default: 60,
  }),
  'api-keys': textSetting({
    placeholder: '<name:key,...>',
    description:
      'Clients that are counted by themselves and not by their address: each sends its key, of at least 16 characters, in the header X-API-Key.',
    commands: serving,
    defaultText: 'none',
    secret: true,
  }),
  'api-key-rate-limit': integerSetting({
    min: 1,
    max: 1_000_000_000,
    description: 'Requests with one API key within rate-limit-window.',
    commands: serving,
    defaultText: 'any number',
  }),
};

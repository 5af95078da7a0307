// Why a database cannot be reached, and what to do about it, in words for the operator. What the system or PostgreSQL
// said itself stands in brackets. https://www.postgresql.org/docs/current/errcodes-appendix.html has the codes.
import pg from 'pg';

/** `advice`: whole sentences. */
export type Explained = { found: string; advice: string };

/** Where an address leads: without its password. */
type Target = {
  /** Host and port, or the file of a socket. */
  place: string;
  host: string;
  user: string;
  database: string;
  /** The address names no database, so that one of the user's name is meant. */
  isDatabaseLeftOut: boolean;
};

/** null = it is no failure to connect. `error`: or one that has it as its cause. */
export function explainConnection(error: Error, connectionString: string): Explained | null {
  const unreadable = explainUnreadableFile(error);
  if (unreadable) return unreadable;
  const target = toTarget(connectionString);
  const cause = innermost(error);
  const { code } = cause as Error & { code?: unknown };
  const explain = typeof code === 'string' ? byCode[code] : undefined;
  const said = explain ? explain(target) : explainText(cause.message, target);
  return said && { found: `${said.found} (${wordsOf(cause)})`, advice: said.advice };
}

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

/** Where a host has several addresses, each failed by itself, and the whole says nothing. */
function wordsOf(error: Error): string {
  if (!(error instanceof AggregateError)) return error.message;
  return error.errors.map(({ message }: Error) => message).join(', ');
}

/** Parameters of the address name files of certificates and keys, which are read before anything else. */
function explainUnreadableFile(error: Error): Explained | null {
  const { syscall, path, message } = innermost(error) as NodeJS.ErrnoException;
  if (syscall !== 'open' || path === undefined) return null;
  return {
    found: `the file ${path}, which the address (DATABASE_URL) names, cannot be read (${message})`,
    advice: 'Correct sslrootcert, sslcert or sslkey in the address.',
  };
}

function toTarget(connectionString: string): Target {
  const { host, port, user = 'without a name', database = '' } = new pg.Client({ connectionString });
  return {
    place: host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`,
    host,
    user,
    database,
    isDatabaseLeftOut: !/^[a-z]+:\/\/[^/?#]*\/[^?#]/.test(connectionString),
  };
}

type Explain = (target: Target) => Explained;

const usualAddress = 'postgres://user:password@host:port/database';

const nothingListens: Explain = ({ place }) => ({
  found: `no PostgreSQL listens at ${place}`,
  advice:
    'Start PostgreSQL, or correct host and port of the address (DATABASE_URL); the usual port is 5432. Without an address the built-in PostgreSQL is used.',
});

const noAnswer: Explain = ({ place }) => ({
  found: `PostgreSQL at ${place} does not answer`,
  advice:
    'Check that host and port of the address (DATABASE_URL) are those of PostgreSQL, that it runs, and that no firewall is in between.',
});

const notFound: Explain = ({ host, isDatabaseLeftOut }) => ({
  found: `the host ${host} is not known`,
  advice: isDatabaseLeftOut
    ? `Correct the address (DATABASE_URL): what follows // is a host, and the database comes after it, ${usualAddress}.`
    : 'Correct the host of the address (DATABASE_URL), or see to the name service of this machine.',
});

const otherProgram: Explain = ({ place }) => ({
  found: `what answers at ${place} is no PostgreSQL, or it ends connections of this machine`,
  advice:
    'Correct host and port of the address (DATABASE_URL): 5432 is the usual port, others often belong to HTTP. If it is PostgreSQL, its log says why it ended the connection.',
});

const noEntry: Explain = ({ place, user }) => ({
  found: `PostgreSQL at ${place} does not let the role ${user} in`,
  advice: `Correct the role of the address (DATABASE_URL), make it (create role "${user}" login), or let it in from this machine in pg_hba.conf.`,
});

const wrongPassword: Explain = ({ place, user }) => ({
  found: `PostgreSQL at ${place} refuses the password of the role ${user}`,
  advice: `Correct the password of the address (DATABASE_URL); characters such as @ : / ? # % are written as %40 %3A %2F %3F %23 %25.`,
});

const noPassword: Explain = ({ place, user }) => ({
  found: `PostgreSQL at ${place} asks for the password of the role ${user}, and there is none`,
  advice: `Name it in the address (DATABASE_URL): ${usualAddress}.`,
});

const noDatabase: Explain = ({ place, database, isDatabaseLeftOut }) => ({
  found: `there is no database ${database} at ${place}`,
  advice: isDatabaseLeftOut
    ? `The address (DATABASE_URL) names none, so that one with the name of the role is meant: ${usualAddress}.`
    : `Correct the end of the address (DATABASE_URL), or make it: create database "${database}" encoding 'UTF8' template template0.`,
});

const noConnectPrivilege: Explain = ({ user, database }) => ({
  found: `the role ${user} may not connect to the database ${database}`,
  advice: `As its owner: grant connect on database "${database}" to "${user}".`,
});

const isFull: Explain = ({ place, user }) => ({
  found: `PostgreSQL at ${place} takes no further connection of the role ${user}`,
  advice:
    'End other programs that use it, raise max_connections of PostgreSQL or the limit of the role, or lower --database-connections.',
});

const notReady: Explain = ({ place }) => ({
  found: `PostgreSQL at ${place} is starting, ending or recovering`,
  advice: 'Wait until its log says that it accepts connections.',
});

const wrongCertificate: Explain = ({ place }) => ({
  found: `the certificate of PostgreSQL at ${place} cannot be trusted`,
  advice:
    'Name the certificate that signed it (sslrootcert=<file> in the address), or correct the host so that the certificate is for it.',
});

const byCode: Readonly<Record<string, Explain>> = {
  ECONNREFUSED: nothingListens,
  ENOENT: nothingListens,
  EACCES: ({ place }) => ({
    found: `this user may not open ${place}`,
    advice: 'Run the program as a user who may, or reach PostgreSQL by host and port.',
  }),
  ENOTFOUND: notFound,
  EAI_AGAIN: notFound,
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ECONNRESET: otherProgram,
  EPIPE: otherProgram,
  '28000': noEntry,
  '28P01': wrongPassword,
  '3D000': noDatabase,
  '53300': isFull,
  '57P03': notReady,
  DEPTH_ZERO_SELF_SIGNED_CERT: wrongCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: wrongCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: wrongCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: wrongCertificate,
  CERT_HAS_EXPIRED: wrongCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: wrongCertificate,
};

/** What `pg` says without a code, and PostgreSQL with one that has other meanings, too. */
function explainText(message: string, target: Target): Explained | null {
  for (const [pattern, explain] of byText) if (pattern.test(message)) return explain(target);
  return null;
}

const byText: readonly (readonly [RegExp, Explain])[] = [
  [/^SASL: .*password must be a/, noPassword],
  [/^permission denied for database /, noConnectPrivilege],
  [/^Connection terminated unexpectedly/, otherProgram],
  [/^timeout expired|^PostgreSQL does not answer within/, noAnswer],
  [
    /does not support SSL/,
    ({ place }) => ({
      found: `PostgreSQL at ${place} does not encrypt connections`,
      advice: 'Leave sslmode out of the address (DATABASE_URL), or set it to disable.',
    }),
  ],
];

// What can go wrong with a bucket, as a table: what the store or the connection reports, and what an operator can do.
import { StreamSourceError } from '../stream-source.ts';
import { BrokenAnswerError, type ObjectStore, ObjectStoreError } from './object-store.ts';

type Explained = { found: string; advice: string };
type Asked = Pick<ObjectStore, 'name' | 'access'>;

const signIn: Readonly<Record<'s3' | 'gs', string>> = {
  s3: 'Give it an access key: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile (AWS_PROFILE), or the role of the machine',
  gs: 'Sign in: "gcloud auth application-default login", a key file in GOOGLE_APPLICATION_CREDENTIALS, or the service account of the machine',
};
const payWith: Readonly<Record<'s3' | 'gs', string>> = {
  s3: 'Where the reader pays, add --source-requester-pays',
  gs: 'Add --source-requester-pays and --source-project <the project that pays>',
};
const checkKey =
  'Check the access key and its secret; one may have been deleted, or belong to another store (--source-endpoint)';
const renew = 'The session has ended: sign in again, or renew the token';
const setClock = 'Set the clock of this machine (NTP)';
const checkBucket =
  'Check the name of the bucket behind --source, and --source-endpoint where the store is not that of the cloud';
const nameRegion = (region: string | null): string =>
  `Name the region of the bucket with --source-region${region === null ? '' : ` ${region}`}`;

const inOtherRegion = ({ region }: ObjectStoreError): Explained => tell('is in another region', nameRegion(region));

/** By what the store answers. */
const storeProblems: Readonly<Record<string, (error: ObjectStoreError) => Explained>> = {
  NoSuchBucket: () => tell('does not exist', checkBucket),
  InvalidAccessKeyId: () => tell('does not know the access key', checkKey),
  SignatureDoesNotMatch: () => tell('finds that the secret does not belong to the access key', checkKey),
  InvalidToken: () => tell('refuses the session token', renew),
  ExpiredToken: () => tell('says that the session token has expired', renew),
  RequestTimeTooSkewed: ({ clockSkewMs: skewMs }) =>
    tell(
      `says that the clock of this machine is wrong${skewMs === null ? '' : `, by ${Math.round(-skewMs / 1000)} s`}`,
      setClock,
    ),
  PermanentRedirect: inOtherRegion,
  AuthorizationHeaderMalformed: inOtherRegion,
  IllegalLocationConstraintException: inOtherRegion,
  UserProjectMissing: () => tell('lets the reader pay, and no project is named', payWith.gs),
  UserProjectAccessDenied: () =>
    tell(
      'may not charge the project that was named',
      'Give the account the role Service Usage Consumer in it, or name another with --source-project',
    ),
};

/** By error code of the connection. */
const connectionProblems: Readonly<Record<string, Explained>> = {
  ENOTFOUND: tell('has a host name that is not known', 'Check --source-endpoint, and the network of this machine'),
  ECONNREFUSED: tell(
    'has nothing that listens there',
    'Check host and port of --source-endpoint, and that the store runs',
  ),
  EPROTO: tell('does not speak TLS there', 'Write --source-endpoint with http:// or https:// as the store has it'),
};

function tell(found: string, advice: string): Explained {
  return { found, advice };
}

/** Whether it comes from the store or the connection, and is not a defect of this program. */
export function isStoreProblem(error: unknown): boolean {
  if (error instanceof ObjectStoreError || error instanceof BrokenAnswerError) return true;
  return codeOf(error) !== '' || isCredentialsProblem(error);
}

/** Whether a store problem may be temporary: it is worth asking again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ObjectStoreError)) return !isCertificateProblem(codeOf(error)) && !isCredentialsProblem(error);
  return error.status >= 500 || error.status === 429 || error.status === 408 || error.code === 'RequestTimeout';
}

/** `place`: of the object, or of the folder that was listed. */
export function tellStoreProblem(error: unknown, { place, store }: { place: string; store: Asked }): StreamSourceError {
  if (error instanceof ObjectStoreError && (error.code === 'NoSuchKey' || isMissingObject(error, store))) {
    return new StreamSourceError('missing', place, `${place} does not exist`);
  }
  const { found, advice } = isCredentialsProblem(error)
    ? tell('cannot be asked: the credentials cannot be read or renewed', signIn[schemeOf(store)])
    : explain(error, store);
  const said = error instanceof ObjectStoreError ? `${error.code}: ${error.message}` : messageOf(error);
  const sentence = said.replace(/\.?\s*$/, '');
  return new StreamSourceError('unavailable', place, `${store.name} ${found} (${sentence}, at ${place}). ${advice}`);
}

function isMissingObject({ status, message }: ObjectStoreError, store: Asked): boolean {
  return schemeOf(store) === 'gs' && status === 404 && message.startsWith('No such object');
}

function explain(error: unknown, store: Asked): Explained {
  if (!(error instanceof ObjectStoreError)) return explainConnection(error);
  const known = storeProblems[error.code];
  if (known) return known(error);
  const scheme = schemeOf(store);
  if (/requester pays/i.test(error.message)) return storeProblems.UserProjectMissing!(error);
  if (/serviceusage/i.test(error.message)) return storeProblems.UserProjectAccessDenied!(error);
  if (error.status === 404) return storeProblems.NoSuchBucket!(error);
  if (error.status === 301) return storeProblems.PermanentRedirect!(error);
  if (error.isRefusal) {
    if (store.access() === 'anonymous')
      return tell('requires credentials, and none were found', `${signIn[scheme]}. ${payWith[scheme]}`);
    const permissions =
      scheme === 's3' ? 's3:ListBucket and s3:GetObject' : 'storage.objects.list and storage.objects.get';
    return tell('refuses', `Give this account ${permissions} on the bucket. ${payWith[scheme]}`);
  }
  if (isPassing(error)) return tell('is busy or failed', 'Wait: it is asked again; if it stays, ask its operator');
  return tell('refuses the request', checkBucket);
}

function schemeOf({ name }: Asked): 's3' | 'gs' {
  return name.startsWith('gs:') ? 'gs' : 's3';
}

/** Errors of the libraries that provide credentials. */
function isCredentialsProblem(error: unknown): boolean {
  return error instanceof Error && /^(CredentialsProviderError|TokenProviderError|GaxiosError)$/.test(error.name);
}

function explainConnection(error: unknown): Explained {
  if (error instanceof BrokenAnswerError && error.isForeign) {
    const advice = 'Check --source-endpoint, and whether a proxy on the way requires a sign-in';
    return tell('is not the server that answers there', advice);
  }
  const code = codeOf(error);
  if (isCertificateProblem(code)) {
    const advice = 'Name the authority that signed it in NODE_EXTRA_CA_CERTS';
    return tell('has a certificate that is not trusted', advice);
  }
  const advice = 'Check the network of this machine, --source-endpoint, and --source-timeout where the way is slow';
  return connectionProblems[code] ?? tell('cannot be reached, or broke off', advice);
}

function isCertificateProblem(code: string): boolean {
  return /CERT|UNABLE_TO_VERIFY|SELF_SIGNED/.test(code);
}

/** `fetch` keeps the original error as the cause. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause ? codeOf(cause) : '';
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message || String(error);
}

/** Gives each request what was opened. */
export function createStoreOpener<Opened>(open: () => Promise<Opened>) {
  let opening: Promise<Opened> | null = null;
  const forget = (used: typeof opening): void => {
    if (opening === used) opening = null;
  };
  return async <Answer>(ask: (opened: Opened) => Promise<Answer>): Promise<Answer> => {
    opening ??= open();
    const used = opening;
    const opened = await used.catch((error: unknown) => {
      forget(used);
      throw error;
    });
    return ask(opened).catch((error: unknown) => {
      if (isCredentialsProblem(error) || (error instanceof ObjectStoreError && error.isRefusal)) forget(used);
      throw error;
    });
  };
}

// `doctor --source` on buckets: what each answer of a store means, and what to do about it.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { examine, type Finding } from '../../src/runtime/doctor/examine.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import {
  listen,
  type ObjectServer,
  type StoreFault,
  startObjectServer,
  storeCredentials,
} from '../support/servers/object-server.ts';

const root = mkdtempSync(join(tmpdir(), 'doctor-of-buckets-'));
let server: ObjectServer;

beforeAll(async () => {
  server = await startObjectServer(join(root, 's3'));
  await writeNetwork({ folder: join(root, 'network'), blocks: 1 });
  await server.putFolder(join(root, 'network'), 'net/');
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.fault = () => null;
});

async function ask(source: string, { isSigned = true, flags = [] as string[] } = {}): Promise<Finding> {
  // No other place for credentials than the environment is looked at.
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none');
  for (const [name, value] of Object.entries(storeCredentials)) vi.stubEnv(name, isSigned ? value : undefined);
  const argv = ['--source', source, '--source-endpoint', server.endpoint, '--data-dir', join(root, 'data'), ...flags];
  for await (const finding of examine(loadSettings('doctor', argv, {}), ['source'])) return finding;
  throw new Error('the source was not looked at');
}

it('tells what was found, and what it costs to follow', async () => {
  expect(await ask('s3://streams/net')).toEqual({
    name: 'source',
    ok: true,
    found: expect.stringMatching(
      /^s3:\/\/streams\/net: first file \d{4}-.*Z\.rcd\.gz \(\d+ bytes\), signed by 3 nodes; listed with credentials: 3 nodes; to follow it takes 86400 list requests a day$/,
    ),
  });
  expect((await ask('s3://streams/net', { isSigned: false })).found).toMatch(/listed without credentials/);
  expect((await ask('s3://streams/net', { flags: ['--source-requester-pays'] })).found).toMatch(/credentials, you pay/);
});

const refusal = (
  status: number,
  code: string,
  more: Partial<Extract<StoreFault, { kind: 'error' }>> = {},
): StoreFault => ({
  kind: 'error',
  status,
  code,
  ...more,
});
const wrongClock = { date: new Date(Date.now() + 1_200_000).toUTCString() };

it.each<[string, StoreFault, 'list' | 'get', boolean, RegExp]>([
  [
    'no credentials',
    refusal(403, 'AccessDenied'),
    'list',
    false,
    /requires credentials.*AWS_ACCESS_KEY_ID.*--source-requester-pays$/,
  ],
  [
    'no permission to list',
    refusal(403, 'AccessDenied'),
    'list',
    true,
    /refuses .* at s3:\/\/streams\/net\/\)\. Give this account s3:ListBucket/,
  ],
  [
    'no permission to read',
    refusal(403, 'AccessDenied'),
    'get',
    true,
    /refuses .*record0\.0\.3\/.*Z\.rcd\.gz\)\. Give this account .* s3:GetObject/,
  ],
  [
    'a wrong key',
    refusal(403, 'InvalidAccessKeyId'),
    'list',
    true,
    /does not know the access key .*Check the access key/,
  ],
  ['a wrong secret', refusal(403, 'SignatureDoesNotMatch'), 'list', true, /secret does not belong to the access key/],
  ['an old session', refusal(400, 'ExpiredToken'), 'list', true, /session token has expired .*sign in again/],
  [
    'a wrong clock',
    refusal(403, 'RequestTimeTooSkewed', { headers: wrongClock }),
    'list',
    true,
    /clock of this machine is wrong, by -1\d\d\d s .*\(NTP\)/,
  ],
  [
    'another region',
    refusal(400, 'AuthorizationHeaderMalformed', { headers: { 'x-amz-bucket-region': 'eu-west-3' } }),
    'list',
    true,
    /another region .*--source-region eu-west-3/,
  ],
  ['a busy store', refusal(503, 'SlowDown'), 'list', true, /is busy or failed .*Wait/],
  ['a broken connection', { kind: 'reset' }, 'list', true, /cannot be reached, or broke off .*--source-endpoint/],
])('%s', async (_name, fault, kind, isSigned, sentence) => {
  server.fault = (request) => (request.kind === kind ? fault : null);
  const finding = await ask('s3://streams/net', { isSigned });
  expect(finding.ok).toBe(false);
  expect(finding.found).toMatch(sentence);
});

it.each<[string, string, RegExp]>([
  [
    'a bucket that is not there',
    's3://stream',
    /^s3:\/\/stream does not exist \(NoSuchBucket.*Check the name of the bucket/,
  ],
  [
    'a wrong prefix',
    's3://streams/nett',
    /nett can be listed, but holds neither.*The bucket has net\/\. Name the bucket/,
  ],
])('%s', async (_name, source, sentence) => {
  expect(await ask(source)).toEqual({ name: 'source', ok: false, found: expect.stringMatching(sentence) });
});

it.each<[string, number, string, string, RegExp]>([
  [
    'no credentials',
    401,
    'required',
    'Anonymous caller does not have storage.objects.list access',
    /^gs:\/\/bkt requires credentials.*gcloud auth application-default login/,
  ],
  [
    'a reader who pays',
    400,
    'required',
    'Bucket is a requester pays bucket but no user project provided.',
    /lets the reader pay.*--source-project/,
  ],
  [
    'another payer',
    403,
    'forbidden',
    'a@b does not have serviceusage.services.use access to the Google Cloud project.',
    /may not charge the project.*Service Usage Consumer/,
  ],
  ['no bucket', 404, 'notFound', 'The specified bucket does not exist.', /does not exist .*Check the name/],
])('Google Cloud Storage: %s', async (_name, status, reason, message, sentence) => {
  const store = createServer((_request, answer) => {
    answer.writeHead(status, { 'content-type': 'application/json' });
    answer.end(JSON.stringify({ error: { code: status, message, errors: [{ reason, message }] } }));
  });
  await listen(store);
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '');
  const finding = await ask('gs://bkt/net', { isSigned: false, flags: ['--source-endpoint', endpoint] });
  store.close();
  expect(finding).toMatchObject({ ok: false, found: expect.stringMatching(sentence) });
});

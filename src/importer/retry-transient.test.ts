import { expect, test, vi } from 'vitest';
import { toConnectError } from '../../packages/postgres/wire/connect-client.ts';
import { QueryError } from '../../packages/postgres/wire/database.ts';
import { queueIsFull } from '../../packages/postgres/wire/waiting-line.ts';
import { StreamSourceError } from '../../packages/sources/stream-source.ts';
import { StreamCheckError } from './open/stream-check-error.ts';
import { retryOutage, retryTransient } from './retry-transient.ts';

const failure = { code: 'missing', file: 'f', node: null, expected: 'a', found: 'b' } as const;
const onItsWay = () => new StreamCheckError([{ ...failure, transient: true }]);
const wrong = () => new StreamCheckError([{ ...failure, transient: false }]);
const noFiles = () => new StreamSourceError('noStreamFiles', '.', 'no files');
const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const shutDown = () => new Error('Query x failed', { cause: Object.assign(new Error('ended'), { code: '57P01' }) });
const silent = () => new Error('Query x failed', { cause: toConnectError(new Error('timeout expired'), 10_000) });
const full = () =>
  new QueryError('select-newest-block', Object.assign(new Error('No connection was free'), { code: queueIsFull }));
const lostMachine = () =>
  Object.assign(new Error('failure on connection marked as essential: 10.0.0.7:5432'), { code: 'XX000' });
const duplicate = () => Object.assign(new Error('duplicate key'), { code: '23505' });

test.each([
  ['a file on its way', onItsWay, true],
  ['a file that is wrong until it is replaced', wrong, true],
  ['a source that holds no record files yet', noFiles, true],
  ['a database out of reach', refused, true],
  ['a database that shuts down', shutDown, true],
  ['a database that takes connections and does not answer', silent, true],
  ['a database that had no connection free', full, true],
  ['a machine of a cluster that is lost', lostMachine, true],
  ['rows that the database refuses', duplicate, false],
  ['a mistake of the program', () => new TypeError('x is undefined'), false],
])('live, %s is tried again or not', async (_name, error, isRetried) => {
  const stop = new AbortController();
  const work = vi.fn(async () => {
    throw error();
  });
  const retrying = retryTransient(work, { live: true, signal: stop.signal, onRetry: () => stop.abort() });
  if (isRetried) await expect(retrying).resolves.toBeUndefined();
  else await expect(retrying).rejects.toThrow(error().message);
  expect(work).toHaveBeenCalledTimes(1);
});

test('an import that is not live ends at the first error', async () => {
  await expect(
    retryTransient(
      async () => {
        throw onItsWay();
      },
      { live: false },
    ),
  ).rejects.toThrow(StreamCheckError);
});

test.each<[string, boolean, () => Error, string]>([
  ['a live import begins again', true, full, 'imported'],
  ['one that is to end does not', false, full, 'No connection was free'],
  ['nor one of which a file is wrong', true, wrong, wrong().message],
])('where the database had no connection free as it began, %s', async (_name, live, error, said) => {
  let begun = 0;
  const work = async (): Promise<string> => {
    begun += 1;
    if (begun === 1) throw error();
    return 'imported';
  };
  const retried: string[] = [];
  const { signal } = new AbortController();
  const ended = await retryOutage(work, { live, signal, onRetry: ({ message }) => void retried.push(message) }).catch(
    ({ message }: Error) => message,
  );
  expect(ended).toContain(said);
  expect([begun, retried.length]).toEqual(said === 'imported' ? [2, 1] : [1, 0]);
});

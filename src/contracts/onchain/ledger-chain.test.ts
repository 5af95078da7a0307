import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { VerificationError } from '../../../packages/verification/terms/verification-error.ts';
import { toRequestError } from '../../../packages/web-server/request-error.ts';
import { createLedgerChain } from './ledger-chain.ts';

const db = openDatabase({ connectionString: 'postgres://nobody@127.0.0.1:1/nothing' });
afterAll(() => db.close());

it('a contract that the database does not give is no defect of the page that asks for it', async () => {
  const chain = createLedgerChain({ chain: { chainId: '298' }, db, system: usualRealm });
  const error: unknown = await chain.read(`0x${'00'.repeat(18)}03e9`).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(VerificationError);
  expect(error).toMatchObject({ code: 'cannot_fetch_bytecode', status: expect.any(Number) });
  expect(toRequestError(error)).toMatchObject({ status: 503, retryAfterSeconds: expect.any(Number) });
});

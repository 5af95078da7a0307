// The validator itself: a documented body passes, and any change of it that a client would notice does not.

import { describe, expect, it } from 'vitest';
import { findDialect } from '../../../src/api/dialect/find-dialect.ts';
import { defaultHttpSettings } from './default-settings.ts';
import { createAnswerValidator } from './validate-answer.ts';

const settings = defaultHttpSettings;
const spec = createAnswerValidator({ dialect: findDialect('spec'), settings });

const schedule = {
  admin_key: { _type: 'ED25519', key: 'aa' },
  deleted: null,
  consensus_timestamp: '1.000000000',
  creator_account_id: '0.0.5',
  executed_timestamp: null,
  expiration_time: null,
  memo: null,
  payer_account_id: '0.0.5',
  schedule_id: '0.0.7',
  signatures: [{ consensus_timestamp: '1.000000000', public_key_prefix: 'AQI=', signature: '', type: 'ED25519' }],
  transaction_body: '',
  wait_for_expiry: false,
};
const check = (body: object, status = 200) =>
  spec.validate('/api/v1/schedules/7?x=1', { status, text: JSON.stringify(body) });

it('a documented body passes', () => {
  expect(check(schedule)).toEqual([]);
  expect(spec.validate('/API/v1/Schedules/', { status: 200, text: '{"schedules":[],"links":{"next":null}}' })).toEqual(
    [],
  );
});

describe('what does not pass', () => {
  it.each(Object.keys(schedule))('%s missing', (name) => {
    const { [name as keyof typeof schedule]: _, ...rest } = schedule;
    expect(check(rest).join()).toContain(`must have required property '${name}'`);
  });

  it.each<[object]>([
    [{ extra: 1 }],
    [{ wait_for_expiry: null }],
    [{ wait_for_expiry: 'false' }],
    [{ consensus_timestamp: 1 }],
    [{ consensus_timestamp: '1.0' }],
    [{ schedule_id: 7 }],
    [{ admin_key: {} }],
    [{ admin_key: { _type: 'RSA', key: 'aa' } }],
    [{ signatures: [{ ...schedule.signatures[0], type: 'NONE' }] }],
    [{ signatures: [{ ...schedule.signatures[0], signature: 'A\nA' }] }],
    [{ signatures: null }],
  ])('%j', (change) => {
    expect(check({ ...schedule, ...change })).not.toEqual([]);
  });

  it('no JSON, another status, another body for an error', () => {
    expect(spec.validate('/api/v1/schedules/7', { status: 200, text: '{' })[0]).toContain('no JSON');
    expect(check(schedule, 206)).toEqual(['/api/v1/schedules/7: status 206 is not documented']);
    expect(check({ error: 'Not found' }, 404)).not.toEqual([]);
    expect(spec.validate('/nowhere', { status: 404, text: '{"_status":{"messages":[]}}' })).not.toEqual([]);
  });
});

describe('integers', () => {
  const account = (balance: string) => `{"balance":${balance},"timestamp":null,"tokens":[]}`;
  const problems = (balance: string) =>
    spec
      .validate('/api/v1/accounts/5', { status: 200, text: `{"balance":${account(balance)}}` })
      .filter((problem) => problem.startsWith('/api/v1/accounts/5/balance/balance'));

  it.each(['0', 'null', '9223372036854775807', '-9223372036854775808'])('%s is an int64', (balance) => {
    expect(problems(balance)).toEqual([]);
  });

  it.each(['9223372036854775808', '-9223372036854775809', '1.5', '"1"', '1e3'])('%s is none', (balance) => {
    expect(problems(balance)).toHaveLength(1);
  });
});

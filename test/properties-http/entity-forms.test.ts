// One entity, many names: every form of an id, address or alias that a dialect takes gives the same answer to the byte,
// and a form that it does not take is refused as such.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';

type Entity = { id: bigint; alias: Buffer | null; address: Buffer | null };
/** Text of the name, or null where the entity has none of this form; and who takes it. */
type Form = [name: string, taken: DialectName[], format: (entity: Entity) => string | null];

const both: DialectName[] = ['spec', 'hiero'];
const hiero: DialectName[] = ['hiero'];
const spec: DialectName[] = ['spec'];

const hex = ({ address }: Entity) => address?.toString('hex') ?? null;
const longZero = ({ id }: Entity) => id.toString(16).padStart(40, '0');
const withText = (text: string | null, format: (text: string) => string) => (text === null ? null : format(text));

/** RFC 4648 without padding. */
function base32(bytes: Buffer): string {
  let bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0');
  return bits.replaceAll(/.{5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)]!);
}
const alias = (entity: Entity) => entity.alias && base32(entity.alias);

const numbers = (bare: DialectName[]): Form[] => [
  ['shard.realm.num', both, ({ id }) => `0.0.${id}`],
  ['leading zeros', both, ({ id }) => `00.000.0${id}`],
  ['realm.num', bare, ({ id }) => `0.${id}`],
  ['num', bare, ({ id }) => `${id}`],
];
const longZeros = (taken: DialectName[]): Form[] => [
  ['long-zero address', taken, (entity) => longZero(entity)],
  ['long-zero address with 0x', taken, (entity) => `0x${longZero(entity)}`],
  ['long-zero address in capitals', taken, (entity) => longZero(entity).toUpperCase()],
];
const longZerosInRealm: Form[] = [
  ['shard.realm.long-zero', both, (entity) => `0.0.${longZero(entity)}`],
  ['realm.long-zero', both, (entity) => `0.${longZero(entity)}`],
  ['shard.realm.0x', spec, (entity) => `0.0.0x${longZero(entity)}`],
];
const addresses: Form[] = [
  ['EVM address', both, hex],
  ['EVM address with 0x', both, (entity) => withText(hex(entity), (text) => `0x${text}`)],
  ['EVM address in capitals', both, (entity) => withText(hex(entity), (text) => `0x${text.toUpperCase()}`)],
];
const addressesInRealm: Form[] = [
  ['shard.realm.EVM address', both, (entity) => withText(hex(entity), (text) => `0.0.${text}`)],
  ['realm.EVM address', both, (entity) => withText(hex(entity), (text) => `0.${text}`)],
];
const aliases: Form[] = [
  ['alias', both, alias],
  ['realm.alias', both, (entity) => withText(alias(entity), (text) => `0.${text}`)],
  ['shard.realm.alias', both, (entity) => withText(alias(entity), (text) => `0.0.${text}`)],
];
const never = (format: Form[2]): Form => ['a form that nobody takes', [], format];

type Place = {
  name: string;
  entities: string;
  forms: Form[];
  url(name: string): string;
  /** Whose answer is a list, which says where it was asked. */
  invalid: string;
};

const where = (condition: string) =>
  `select id, alias, evm_address as address from entity where ${condition} order by id`;
const places: Place[] = [
  {
    name: 'accounts',
    entities: where(`type in ('ACCOUNT', 'CONTRACT') and deleted is false`),
    forms: [
      ...numbers(both),
      ...longZeros(both),
      ...longZerosInRealm,
      ...addresses,
      ...addressesInRealm,
      ...aliases,
      never(({ id }) => `0.0.0.${id}`),
      never(({ id }) => `0.0.${id}x`),
      never(({ id }) => `0.0.-${id}`),
      never((entity) => withText(alias(entity), (text) => `1.0.${text}`)),
      never((entity) => withText(alias(entity), (text) => text.toLowerCase())),
      never((entity) => withText(hex(entity), (text) => `0.1.${text}`)),
      never((entity) => withText(hex(entity), (text) => `0x0${text}`)),
    ],
    url: (name) => `/api/v1/accounts/${name}?limit=100`,
    invalid: 'Invalid parameter: idOrAliasOrEvmAddress',
  },
  {
    name: 'contracts',
    entities: where(`type = 'CONTRACT'`),
    forms: [
      ...numbers(both),
      ...longZeros(both),
      ...longZerosInRealm,
      ...addresses,
      ...addressesInRealm,
      // The mirror node does not look at the realm before an address that says nothing of it.
      ['another realm', both, (entity) => withText(hex(entity), (text) => `1.2.${text}`)],
      never(({ id }) => `0.0.0.${id}`),
      never(({ id }) => `0x${id.toString(16)}`),
    ],
    url: (name) => `/api/v1/contracts/${name}`,
    invalid: 'Invalid parameter: contractid',
  },
  {
    name: 'tokens',
    entities: 'select token_id as id, null::bytea as alias, null::bytea as address from token order by 1',
    forms: [
      ...numbers(hiero),
      ...longZeros(hiero),
      ['shard.realm.long-zero', hiero, (entity) => `0.0.${longZero(entity)}`],
      ['0x and a decimal number', hiero, ({ id }) => `0x${id}`],
      never(({ id }) => `0.0.0.${id}`),
      never(() => 'ab'.repeat(20)),
    ],
    url: (name) => `/api/v1/tokens/${name}`,
    invalid: 'Invalid parameter: tokenid',
  },
  {
    name: 'schedules/{id}',
    entities: 'select schedule_id as id, null::bytea as alias, null::bytea as address from schedule order by 1',
    forms: [
      ...numbers(both),
      ['0x and a decimal number', both, ({ id }) => `0x${id}`],
      never((entity) => longZero(entity)),
      never(({ id }) => `0.0.0.${id}`),
    ],
    url: (name) => `/api/v1/schedules/${name}`,
    invalid: 'Invalid parameter: scheduleid',
  },
  {
    name: 'schedule.id',
    entities: 'select schedule_id as id, null::bytea as alias, null::bytea as address from schedule order by 1',
    forms: [...numbers(both), ...longZeros(both), never(({ id }) => `0x${id}`)],
    url: (name) => `/api/v1/schedules?schedule.id=lte:${name}&limit=100`,
    invalid: 'Invalid parameter: schedule.id',
  },
  {
    name: 'account.id',
    entities: where('id in (select creator_account_id from schedule)'),
    forms: [...numbers(both), ...longZeros(both), never(({ id }) => `0x${id}`)],
    url: (name) => `/api/v1/schedules?account.id=${name}&limit=100`,
    invalid: 'Invalid parameter: account.id',
  },
  {
    name: 'from',
    entities: where('deleted is false and id in (select sender_id from contract_result)'),
    forms: [
      ...numbers(hiero),
      ...longZeros(both),
      ...addresses,
      never((entity) => `0.0.${longZero(entity)}`),
      never((entity) => withText(alias(entity), (text) => text)),
    ],
    url: (name) => `/api/v1/contracts/results?from=${name}&internal=true&limit=100`,
    invalid: 'Invalid parameter: from',
  },
];

/** Entities of each kind that are asked for by all their names. */
const sampled = 12;

let mirror: SimulatedMirror;
beforeAll(async () => {
  mirror = await openSimulatedMirror('busy');
});
afterAll(() => mirror?.close());

describe.each(both)('in dialect %s', (dialect) => {
  it.each(places)('$name', async ({ name, entities, forms, url, invalid }) => {
    const random = createSeededRandom('names', name);
    const all = await mirror.db.query<Entity>({ name: `named-${name}`, text: entities });
    const chosen = all.length <= sampled ? all : Array.from({ length: sampled }, () => random.pick(all));
    const used = new Set<string>();
    for (const entity of chosen) {
      const reference = url(`0.0.${entity.id}`);
      const expected = await mirror.get(dialect, reference);
      expect([reference, expected.status]).toEqual([reference, 200]);
      for (const [form, taken, format] of forms) {
        const text = format(entity);
        if (text === null) continue;
        used.add(form);
        const asked = url(text);
        const answer = await mirror.get(dialect, asked);
        if (taken.includes(dialect)) {
          // A link says the name that was asked.
          const same = answer.text.replaceAll(asked.split('?')[0]!, reference.split('?')[0]!);
          expect({ asked, text: same.replaceAll(`=${text}`, `=0.0.${entity.id}`) }).toEqual({
            asked,
            text: expected.text,
          });
        } else {
          expect([asked, answer.status]).toEqual([asked, 400]);
          expect([asked, answer.text]).toEqual([asked, `{"_status":{"messages":[{"message":"${invalid}"}]}}`]);
        }
      }
    }
    expect([...used].sort()).toEqual([...new Set(forms.map(([form]) => form))].sort());
  });
});

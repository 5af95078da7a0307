// Questions of other protocols than REST: blocks, executions and state as Ethereum clients ask for them, and new
// messages of topics.
import { hotAccount, hotContract, hotTopic, quietAccount } from '../../packages/test-support/rows/fill-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { PlanQuestion } from './plan-question.ts';

/** Of a block. */
const span = 4_000_000_000n;
const address = Buffer.from('6c8e7e1ae4b8f3d10e2b8e2f3bd0d1d0b6a9f000', 'hex');
const longZero = (id: bigint): Buffer => Buffer.from(id.toString(16).padStart(40, '0'), 'hex');

export function chainQuestions(middle: bigint): PlanQuestion[] {
  const open = { from: null, to: null };
  const within = { from: middle, to: middle + span };
  const withEntity = async <T>(ledger: Ledger, id: bigint, ask: (entity: Entity) => Promise<T>) => {
    const entity = await ledger.chain.entityAt(longZero(id));
    return entity && ask(entity);
  };
  return [
    ['end of the newest block', (ledger) => ledger.newestEnd()],
    ['newest block of the chain', (ledger) => ledger.chain.newestBlock()],
    ['blocks by number', (ledger) => ledger.chain.blocksBetween(100n, 120n, 100)],
    ['blocks that ended', (ledger) => ledger.chain.blocksEnded(middle, middle + 10n * span, 100)],
    ['results of a block', (ledger) => ledger.chain.results({ ...within, limit: 1000 })],
    ['gas used in a block', (ledger) => ledger.chain.gasUsed(within)],
    ['entity at an address', (ledger) => ledger.chain.entityAt(address)],
    ['addresses of entities', (ledger) => ledger.chain.addresses([hotAccount, quietAccount, hotContract])],
    ['code', (ledger) => ledger.chain.code(hotContract)],
    ['codes that created contracts', (ledger) => ledger.chain.creationCodes([hotContract, quietAccount])],
    ['a slot', (ledger) => ledger.chain.slot(hotContract, 1n, null)],
    ...[hotAccount, quietAccount, hotContract].flatMap((id): PlanQuestion[] =>
      (['asc', 'desc'] as const).flatMap((order): PlanQuestion[] => [
        [
          `${id} took part, ${order}`,
          (ledger) => withEntity(ledger, id, (of) => ledger.chain.moments(of, { ...open, order })),
        ],
        [
          `${id} took part, ${order} from T`,
          (ledger) =>
            withEntity(ledger, id, (of) =>
              ledger.chain.moments(of, { ...open, [order === 'asc' ? 'from' : 'to']: middle, order }),
            ),
        ],
      ]),
    ),
    [
      'what was sent with a nonce',
      (ledger) => withEntity(ledger, hotAccount, (of) => ledger.chain.sentWith({ ...of, ethereumNonce: 9n }, 1n)),
    ],
    ['what created a contract', (ledger) => ledger.chain.creation(middle)],
    ['price of gas', (ledger) => ledger.chain.price()],
    ['price of gas at a time', (ledger) => ledger.chain.priceAt(middle)],
    ...[hotAccount, quietAccount].flatMap((id): PlanQuestion[] => [
      [
        `version of ${id} as of T`,
        (ledger) => withEntity(ledger, id, (entity) => ledger.chain.versionAt(entity, middle)),
      ],
      [
        `balance of ${id} as of T`,
        (ledger) => withEntity(ledger, id, (entity) => ledger.chain.balanceAt(entity, middle)),
      ],
    ]),
    ['kind of a topic', (ledger) => ledger.topics.kindOf(hotTopic)],
    [
      'new messages of topics',
      (ledger) =>
        ledger.topicMessages.listNew([hotTopic, hotTopic + 1n], { after: middle, to: middle + span, limit: 1000 }),
    ],
  ];
}

type Entity = NonNullable<Awaited<ReturnType<Ledger['chain']['entityAt']>>>;

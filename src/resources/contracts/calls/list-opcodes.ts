// GET contracts/results/{transactionIdOrHash}/opcodes: the transaction is run again on the state before it. The list
// may be a hundred megabytes: it is made compressed, and sent only to clients that take that.
import { Type } from '@sinclair/typebox';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import type { ApiRequest } from '../../../../packages/web-server/route.ts';
import { endpoint } from '../../../api/endpoint/endpoint.ts';
import type { RouteContext } from '../../../api/reading/query/context.ts';
import { flag } from '../../../api/reading/value/flag.ts';
import type { Kind } from '../../../api/values/kind.ts';
import { boolean, int64, text } from '../../../api/values/kinds.ts';
import { array, members, nullable, value } from '../../../api/values/members.ts';
import { formatTransactionId } from '../../../api/values/transaction-id-text.ts';
import type { ComparedPart } from '../../../calls/rerun/compare-run.ts';
import type { ContractResultDetail } from '../../../ledger/contracts/create-contract-results.ts';
import { callShapes } from './call-shapes.ts';
import { type NamedExecution, namedExecution } from './named-execution.ts';
import { refuseUnended } from './refuse-unended.ts';
import { waitForThread } from './wait-for-thread.ts';

/** Throws RequestError. */
function admit({ acceptEncoding }: ApiRequest, { calls, settings }: RouteContext): void {
  if (!settings.opcodeTraces) throw refuse('notFound');
  const sentence = 'Accept-Encoding: gzip header is required';
  if (acceptEncoding === undefined) throw refuse('invalidCall', { text: sentence });
  if (!/gzip/i.test(acceptEncoding)) throw refuse('notAcceptable', { text: sentence });
  if (!calls.mayTrace()) throw refuse('callThrottled', { text: 'Requests per second rate limit exceeded' });
}

type Found = { body: Uint8Array; differences: readonly ComparedPart[] | null };

const slots: Kind<null> = { schema: Type.Record(Type.String(), Type.String()), write: () => '{}' };

/** Written by the thread that runs the transaction; here for the API document. */
const opcode = members<Record<string, never>>(
  {
    depth: value(int64, () => 0n, '0 = the outermost call.'),
    gas: value(int64, () => 0n, 'What is left after it.'),
    gas_cost: value(int64, () => 0n),
    memory: array(text, () => [], 'Words of 32 bytes.'),
    op: value(text, () => '', 'Name of the opcode; for a call of a precompile or system contract that of the call.'),
    pc: value(int64, () => 0n, 'Where the contract goes on; of an opcode that ended or called, where that is.'),
    reason: nullable(text, () => null, 'What the call reverted with.'),
    stack: array(text, () => [], 'After it, from the bottom up.'),
    storage: value(slots, () => null, 'Slots by number that the transaction has changed so far.'),
  },
  { name: 'Opcode' },
);

export const listOpcodes = endpoint({
  path: '/api/v1/contracts/results/{transactionIdOrHash}/opcodes',
  id: 'listOpcodes',
  tag: 'Contracts',
  summary: 'The opcodes of a transaction, run again on the state before it',
  description:
    'Every entry is the state after its opcode. Needs `Accept-Encoding: gzip`. The header X-Rerun says whether the run did what the ledger says: `equal`, or what differs of status, output, logs, slots and gas; `not run` of a transaction that the network refused before.',
  in: { transactionIdOrHash: namedExecution },
  query: {
    stack: flag('Whether the stack is shown.', { default: true }),
    memory: flag('Whether memory is shown.', { default: false }),
    storage: flag('Whether the slots are shown that the transaction has changed so far.', { default: false }),
  },
  admits: admit,
  shapes: callShapes,
  async ask({ path: { transactionIdOrHash: name }, query }, { ledger, calls, settings }): Promise<Found> {
    const found: ContractResultDetail | null = await ledger.contractResults.find(name.execution, { synthetic: false });
    if (found === null) throw refuse('notFound', { sentence: `${await missing(name, ledger)}: ${name.text}` });
    const { stack, memory, storage } = query;
    const answer = await waitForThread(calls.trace(found, { stack, memory, storage }));
    switch (answer.kind) {
      case 'traced':
        return answer;
      case 'notRun':
        return { body: answer.body, differences: null };
      case 'unknownCode':
        throw refuse('notFound', { sentence: `Contract result not found: ${name.text}` });
      case 'finished':
      case 'estimated':
      case 'tracedCalls':
        throw new Error(`A trace ended as ${answer.kind}`);
      default:
        throw refuseUnended(answer, settings.callLimits);
    }
  },
  answer: members<Found>(
    {
      address: value(text, () => ''),
      contract_id: nullable(text, () => null),
      failed: value(boolean, () => false),
      gas: value(int64, () => 0n, 'That it used, before the network kept its part.'),
      opcodes: array(opcode, () => []),
      return_value: value(text, () => ''),
    },
    { name: 'Opcodes' },
  ),
  sent: ({ body, differences }) => ({
    body: Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'),
    contentEncoding: 'gzip',
    headers: ['X-Rerun', describe(differences)],
  }),
  fresh: null,
  example: {
    text: 'the opcodes of an execution',
    find: ({ execution }) => execution && formatTransactionId(execution),
    missing: 'no contract has been executed yet',
  },
});

/** null: the network did not run it. */
function describe(differences: Found['differences']): string {
  if (differences === null) return 'not run';
  return differences.length === 0 ? 'equal' : `different: ${differences.join(', ')}`;
}

/** What of it is not there. */
async function missing({ execution }: NamedExecution, { transactions }: RouteContext['ledger']): Promise<string> {
  if (execution.kind === 'hash') return 'Contract transaction hash not found';
  const found = await transactions.findById(execution, { nonce: execution.nonce, scheduled: null });
  return found.length > 0 ? 'Contract result not found' : 'Transaction not found';
}

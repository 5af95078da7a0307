// What a transaction did in one sentence.
import { html, joinMarkup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { tryDecode } from '../../../packages/protocol/hapi/decode-message.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { isSuccess, responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { type BodyField, findTransactionType } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { ScheduleRow } from '../../../packages/store/read/select-schedules.ts';
import type { DetailedTransaction } from '../../ledger/transactions/create-named-transactions.ts';
import { isScheduling } from '../../ledger/transactions/create-named-transactions.ts';
import type { Links } from '../page/links.ts';
import { resultWords } from '../parts/result-words.ts';
import { scheduleState } from '../parts/schedule-state.ts';
import { scheduledWords } from '../parts/scheduled-words.ts';
import { moment } from '../parts/times.ts';
import { typeWords } from '../parts/transaction-words.ts';
import type { Moved, Movement, Mover } from './movements.ts';
import { formatMoved, showSerials, type TransfersContext, worthOf } from './transfers-section.ts';

/** `before`: stands before what the transaction is about. */
type Deed = readonly [past: string, infinitive: string, before?: string];

type Described = Pick<
  DetailedTransaction,
  'consensusTimestamp' | 'entityId' | 'innerTransactions' | 'nonce' | 'payerAccountId' | 'result' | 'scheduled' | 'type'
>;

export type Around = {
  /** The name of a contract's function; null = unknown. */
  called: MarkupValue;
  /** All that belong together. */
  members: readonly DetailedTransaction[];
  /** That the transaction made, signed or deleted; null = none is stored. */
  schedule: ScheduleRow | null;
  /** ns */
  now: bigint;
};

export function whatHappened(
  transaction: Described,
  moved: Moved,
  around: Around,
  context: TransfersContext,
): MarkupValue {
  const { links } = context;
  const { type, result, payerAccountId } = transaction;
  const payer = links.account(payerAccountId) ?? 'The network';
  const field = findTransactionType(type)?.bodyField;
  const [past, infinitive, before] = (field && deeds[field]) ?? unknownDeed(type);
  const name = around.called === null ? null : html` (${around.called})`;
  const about = html`${subjectOf(transaction, field, before, links)}${name}${contentOf(transaction, field, around)}`;
  const end = endOf(transaction, field, around);
  if (!isSuccess(result))
    return html`${payer} tried to ${infinitive}${about}. It failed: ${resultWords(result).toLowerCase()}.${end}`;
  const main = moved.movements.filter(({ kind }) => kind !== 'fee' && kind !== 'reward');
  if (field === 'cryptoTransfer' && main.length > 0) return html`${tellTransfer(main, payer, context)}.${end}`;
  const sent = main.length > 0 && main.length <= maxNamed ? html` ${amountsOf(main, context)} changed hands.` : null;
  return html`${payer} ${past}${about}.${sent}${end}`;
}

const scheduling: ReadonlySet<BodyField> = new Set(['scheduleCreate', 'scheduleSign', 'scheduleDelete']);

/** Whether what the transaction is about is a schedule. */
export function isAboutSchedule({ type }: Pick<DetailedTransaction, 'type'>): boolean {
  const field = findTransactionType(type)?.bodyField;
  return field !== undefined && scheduling.has(field);
}

/** What is inside of a batch or a schedule. */
function contentOf(transaction: Described, field: BodyField | undefined, { members, schedule }: Around): MarkupValue {
  if (field === 'atomicBatch') {
    const kinds = Map.groupBy(innerOf(transaction, members), ({ type }) => typeWords(type).toLowerCase());
    const counted = [...kinds].map(([words, { length }]) => `${length} × ${words}`);
    const left = counted.length - maxKinds;
    const listed = [...counted.slice(0, maxKinds), ...(left > 0 ? [`${left} other kinds`] : [])];
    return listed.length === 0 ? null : `: ${listed.join(', ')}`;
  }
  const scheduled = schedule && scheduledWords(tryDecode(proto.SchedulableTransactionBody, schedule.transactionBody));
  return scheduled === null ? null : `: ${scheduled}`;
}

const maxKinds = 5;

/** How a batch ended, what became of a schedule, and when what is executed was scheduled. */
function endOf(transaction: Described, field: BodyField | undefined, { members, schedule, now }: Around): MarkupValue {
  if (field === 'atomicBatch') return endOfBatch(innerOf(transaction, members));
  if (schedule !== null) return html` ${scheduleState(schedule, now).sentence}`;
  const creation = transaction.scheduled && transaction.nonce === 0 ? members.find(isScheduling) : undefined;
  return creation === undefined ? null : html` It had been scheduled at ${moment(creation.consensusTimestamp)}.`;
}

function innerOf({ consensusTimestamp }: Described, members: readonly DetailedTransaction[]): DetailedTransaction[] {
  return members.filter(({ parentConsensusTimestamp }) => parentConsensusTimestamp === consensusTimestamp);
}

function endOfBatch(inner: readonly DetailedTransaction[]): MarkupValue {
  if (inner.length === 0) return null;
  const undone = inner.filter(({ result }) => result === responseCode.REVERTED_SUCCESS).length;
  const failed = inner.filter(({ result }) => !isSuccess(result) && result !== responseCode.REVERTED_SUCCESS);
  const first = failed[0];
  const why =
    first && ` The ${typeWords(first.type).toLowerCase()} inside failed: ${resultWords(first.result).toLowerCase()}.`;
  if (why === undefined && undone === 0) return ' All of them succeeded.';
  return `${why ?? ''}${undone === 0 ? '' : ` What ${undone === 1 ? 'one' : undone} of them had done was undone.`}`;
}

const maxNamed = 3;

/** One giver and one receiver are named, more are counted. */
function tellTransfer(movements: readonly Movement[], payer: MarkupValue, context: TransfersContext): MarkupValue {
  const givers = accountsOf(movements, 'givers');
  const receivers = accountsOf(movements, 'receivers');
  const name = (ids: readonly bigint[]): MarkupValue =>
    ids.length === 1 ? context.links.account(ids[0]!) : `${ids.length} accounts`;
  const amounts = amountsOf(movements.slice(0, maxNamed), context);
  const left = movements.length - maxNamed;
  const more = left > 0 ? ` and ${left} more` : '';
  if (givers.length === 0 || receivers.length === 0) return html`${payer} moved ${amounts}${more}`;
  return html`${name(givers)} sent ${amounts}${more} to ${name(receivers)}`;
}

function accountsOf(movements: readonly Movement[], side: 'givers' | 'receivers'): bigint[] {
  return [
    ...new Set(movements.flatMap((movement) => movement[side].flatMap(({ accountId }: Mover) => accountId ?? []))),
  ];
}

function amountsOf(movements: readonly Movement[], context: TransfersContext): MarkupValue {
  return joinMarkup(
    movements.map((movement) => {
      const sum = movement.receivers.reduce((total, { amount }) => total + amount, 0n);
      if (movement.kind !== 'nft') return html`${formatMoved(movement, sum, context)}${worthOf(movement, context)}`;
      const serials = movement.serials.flatMap(({ serialNumbers }) => serialNumbers);
      return html`NFT ${showSerials(movement.tokenId, serials, context.links)} of ${context.units.unit(movement.tokenId)}`;
    }),
    ', ',
  );
}

function subjectOf(
  transaction: Described,
  field: BodyField | undefined,
  before: string | undefined,
  links: Links,
): MarkupValue {
  if (field === 'atomicBatch') {
    const { length } = transaction.innerTransactions;
    return ` of ${length} transaction${length === 1 ? '' : 's'}`;
  }
  const subject = links.subject(transaction);
  return subject === null ? null : html`${before === undefined ? '' : ` ${before}`} ${subject}`;
}

function unknownDeed(type: number): Deed {
  const words = typeWords(type).toLowerCase();
  return [`made a transaction: ${words}`, `make a transaction: ${words}`];
}

/**
 * What comes after these words is what the transaction is about, if the ledger names that. null = the type has no words
 * but its name.
 */
const deeds: Record<BodyField, Deed | null> = {
  contractCall: ['called the contract', 'call the contract'],
  contractCreateInstance: ['created the contract', 'create a contract'],
  contractUpdateInstance: ['updated the contract', 'update the contract'],
  contractDeleteInstance: ['deleted the contract', 'delete the contract'],
  cryptoCreateAccount: ['created the account', 'create an account'],
  cryptoUpdateAccount: ['updated the account', 'update the account'],
  cryptoDelete: ['deleted the account', 'delete the account'],
  cryptoTransfer: ['made a transfer', 'make a transfer'],
  cryptoApproveAllowance: ['allowed others to spend', 'allow others to spend', 'for'],
  cryptoDeleteAllowance: ['took back allowances', 'take back allowances', 'of'],
  fileCreate: ['created the file', 'create a file'],
  fileAppend: ['appended to the file', 'append to the file'],
  fileUpdate: ['updated the file', 'update the file'],
  fileDelete: ['deleted the file', 'delete the file'],
  systemDelete: ['deleted an entity for the network', 'delete an entity for the network', ':'],
  systemUndelete: ['restored an entity for the network', 'restore an entity for the network', ':'],
  freeze: ['froze the network for maintenance', 'freeze the network for maintenance'],
  consensusCreateTopic: ['created the topic', 'create a topic'],
  consensusUpdateTopic: ['updated the topic', 'update the topic'],
  consensusDeleteTopic: ['deleted the topic', 'delete the topic'],
  consensusSubmitMessage: ['sent a message to the topic', 'send a message to the topic'],
  uncheckedSubmit: ['submitted a transaction without checks', 'submit a transaction without checks'],
  tokenCreation: ['created the token', 'create a token'],
  tokenUpdate: ['updated the token', 'update the token'],
  tokenDeletion: ['deleted the token', 'delete the token'],
  tokenMint: ['minted more of the token', 'mint more of the token'],
  tokenBurn: ['burned some of the token', 'burn some of the token'],
  tokenWipe: ['wiped an account’s holding of the token', 'wipe an account’s holding of the token'],
  tokenFreeze: ['froze an account for the token', 'freeze an account for the token'],
  tokenUnfreeze: ['unfroze an account for the token', 'unfreeze an account for the token'],
  tokenGrantKyc: ['granted KYC to an account for the token', 'grant KYC to an account for the token'],
  tokenRevokeKyc: ['revoked the KYC of an account for the token', 'revoke the KYC of an account for the token'],
  tokenAssociate: ['associated tokens with the account', 'associate tokens with the account'],
  tokenDissociate: ['dissociated tokens from the account', 'dissociate tokens from the account'],
  tokenPause: ['paused the token', 'pause the token'],
  tokenUnpause: ['ended the pause of the token', 'end the pause of the token'],
  tokenFeeScheduleUpdate: ['changed the custom fees of the token', 'change the custom fees of the token'],
  tokenUpdateNfts: ['changed the metadata of NFTs of the token', 'change the metadata of NFTs of the token'],
  tokenReject: ['sent unwanted tokens back to their treasuries', 'send unwanted tokens back to their treasuries'],
  tokenAirdrop: ['airdropped tokens', 'airdrop tokens'],
  tokenCancelAirdrop: ['cancelled pending airdrops', 'cancel pending airdrops'],
  tokenClaimAirdrop: ['claimed pending airdrops', 'claim pending airdrops'],
  scheduleCreate: ['scheduled a transaction', 'schedule a transaction', 'as'],
  scheduleSign: ['signed the schedule', 'sign the schedule'],
  scheduleDelete: ['deleted the schedule', 'delete the schedule'],
  ethereumTransaction: ['sent an Ethereum transaction', 'send an Ethereum transaction', 'to'],
  nodeStakeUpdate: ['updated the stakes of the nodes', 'update the stakes of the nodes'],
  utilPrng: ['asked for a random number', 'ask for a random number'],
  nodeCreate: ['added a node', 'add a node', 'with the account'],
  nodeUpdate: ['updated a node', 'update a node', 'with the account'],
  nodeDelete: ['removed a node', 'remove a node', 'with the account'],
  registeredNodeCreate: ['registered a service', 'register a service'],
  registeredNodeUpdate: ['updated a registered service', 'update a registered service'],
  registeredNodeDelete: ['removed a registered service', 'remove a registered service'],
  atomicBatch: ['ran a batch', 'run a batch'],
  lambdaSstore: ['wrote to the storage of a hook', 'write to the storage of a hook'],
  hookDispatch: ['ran a hook', 'run a hook'],
  ledgerIdPublication: ['published the id of the ledger', 'publish the id of the ledger'],
  clprUpdateLedgerConfiguration: [
    'configured the ledger for messages to others',
    'configure the ledger for messages to others',
  ],
  clprRegisterChannel: ['announced a channel to another ledger', 'announce a channel to another ledger'],
  clprCompleteChannel: ['opened a channel to another ledger', 'open a channel to another ledger'],
  clprCloseChannel: ['closed a channel to another ledger', 'close a channel to another ledger'],
  clprSubmitBundle: ['delivered messages of another ledger', 'deliver messages of another ledger'],
  clprRedactMessage: ['blacked out a message to another ledger', 'black out a message to another ledger'],
  clprRegisterConnector: ['announced a connector of a channel', 'announce a connector of a channel'],
  clprDeregisterConnector: ['removed a connector of a channel', 'remove a connector of a channel'],
  clprCompleteConnector: ['registered a connector of a channel', 'register a connector of a channel'],
  cryptoAddLiveHash: null,
  cryptoDeleteLiveHash: null,
  stateSignatureTransaction: null,
  hintsPreprocessingVote: null,
  hintsKeyPublication: null,
  hintsPartialSignature: null,
  historyProofSignature: null,
  historyProofKeyPublication: null,
  historyProofVote: null,
  crsPublication: null,
  migrationRootHashVote: null,
  clprEndpointPublication: null,
};

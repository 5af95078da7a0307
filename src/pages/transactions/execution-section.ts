// What a contract did in a transaction: the call, its result and gas, logs, calls inside, storage.

import type { Abi } from '../../../packages/abi/abi.ts';
import { decodeCreation, decodeOutput } from '../../../packages/abi/decode-call.ts';
import type { DecodedCall } from '../../../packages/abi/decoded-value.ts';
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { isSuccess, responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import { toUnsignedInteger } from '../../api/values/hex-text.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import { functionOf, readCall } from '../../calls/names/usual-names.ts';
import type { ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import type { DetailedTransaction } from '../../ledger/transactions/create-named-transactions.ts';
import { listOpcodes } from '../../resources/contracts/calls/list-opcodes.ts';
import { getResultOfContract } from '../../resources/contracts/get-result-of-contract.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { type Links, link } from '../page/links.ts';
import type { PageRequest } from '../page/page.ts';
import { formatCount, formatFraction, formatShare, hbar } from '../parts/amounts.ts';
import { resultBadge } from '../parts/badge.ts';
import { code, hexBytes } from '../parts/bytes.ts';
import { decodedCall, decodedValues } from '../parts/decoded-call.ts';
import { type Fact, facts } from '../parts/facts.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { revertWords } from '../parts/revert-words.ts';
import { section } from '../parts/section.ts';
import { callsPart, type InnerCalls } from './calls-part.ts';
import { logsPart } from './logs-part.ts';
import { stateChangesPart } from './state-changes-part.ts';

/** What was found of an execution. */
export type Execution = {
  result: ContractResultDetail;
  calls: InnerCalls;
  /** Checked ABIs of the contracts that took part, by packed id. */
  abis: ReadonlyMap<bigint, Abi>;
  /** As the ABI of the contract reads the input, or by its name; null = neither does. */
  called: DecodedCall | null;
};

/** As the ABI of the contract that was called, or created, reads it; a call else by its name. */
export function readCalled(result: ContractResultDetail, type: number, abi: Abi | undefined): DecodedCall | null {
  const { functionParameters: input, contractId, createdContractIds } = result;
  if (type === typeNumber.contractCreateInstance) return abi === undefined ? null : decodeCreation(abi, input);
  // An Ethereum transaction that creates a contract begins with code.
  return contractId !== null && createdContractIds?.includes(contractId) ? null : readCall(abi, input);
}

export function executionSection(
  transaction: DetailedTransaction,
  execution: Execution,
  request: PageRequest,
  links: Links,
): Markup {
  const { result, calls, abis, called } = execution;
  const abi = (result.contractId === null ? undefined : abis.get(result.contractId)) ?? null;
  const beside = linksBeside(transaction, result);
  return section(
    { id: 'execution', title: 'What the contract did', beside },
    html`${facts(factsOf(result, abi, links))}
${inputPart(result, called)}
${outputPart(result, abi, called)}
${logsPart(result.logs, abis, request, links)}
${callsPart(calls, abis, links, request)}
${stateChangesPart(result.stateChanges, request, links)}`,
  );
}

function linksBeside(
  transaction: DetailedTransaction,
  { contractId, consensusTimestamp }: ContractResultDetail,
): MarkupValue {
  const { nonce, scheduled } = transaction;
  const params = {
    contractIdOrAddress: formatEntityId(contractId ?? 0n),
    timestamp: formatTimestamp(consensusTimestamp),
  };
  const json = contractId === null ? null : link(pathOfJson(getResultOfContract, params), 'As JSON');
  // Opcodes are listed by id: of several with this id those of another one might be.
  if (nonce !== 0 || scheduled) return json;
  const id = formatTransactionId({ ...transaction, payerId: transaction.payerAccountId });
  return [json, html`<a href="${pathOfJson(listOpcodes, { transactionIdOrHash: id })}" rel="nofollow">Opcodes</a>`];
}

const weibarDigits = 18;
const gasPriceDigits = 8;

function factsOf(result: ContractResultDetail, abi: Abi | null, links: Links): Fact[] {
  const { gasUsed, gasLimit, gasConsumed, gasPriceTinybar, ethType, createdContractIds } = result;
  const price = ethType === null ? gasPriceTinybar : null;
  return [
    [
      'Result',
      html`${resultBadge(result.transactionResult)}${isSuccess(result.transactionResult) ? null : html` <code>${responseCodeName(result.transactionResult)}</code>`}`,
    ],
    ['Why it failed', failureOf(result, abi)],
    ['From', senderOf(result, links)],
    [
      'To',
      result.contractId === null
        ? hexBytes(result.toAddress)
        : html`${links.contract(result.contractId)} ${result.toAddress?.length ? code(`0x${result.toAddress.toString('hex')}`) : null}`,
    ],
    [
      'Created',
      createdContractIds?.length ? createdContractIds.slice(0, 25).map((id) => html`${links.contract(id)} `) : null,
    ],
    ['Sent along', sentAlong(result)],
    [
      'Gas',
      html`${gasUsed === null ? 'not told' : formatCount(gasUsed)} of ${formatCount(gasLimit)}${gasUsed === null || gasLimit === 0n ? null : html` <span class="faint">${formatShare(gasUsed, gasLimit)}</span>`}`,
    ],
    ['Gas the machine used', gasConsumed === null || gasConsumed === gasUsed ? null : formatCount(gasConsumed)],
    ['Price of gas', price === null ? ethereumPrice(result) : html`${formatFraction(price, gasPriceDigits)} &hbar;`],
    [
      'Ethereum transaction',
      ethType === null
        ? null
        : html`type ${ethType}, nonce ${result.nonce === null ? 'unknown' : formatCount(result.nonce)}, chain ${result.chainId?.length ? toUnsignedInteger(result.chainId) : 'none'}`,
    ],
    ['Hash', result.transactionHash === null ? null : hexBytes(result.transactionHash)],
  ];
}

function senderOf({ senderId, senderAlias }: ContractResultDetail, links: Links): MarkupValue {
  return senderId === null ? hexBytes(senderAlias) : links.account(senderId);
}

/** An Ethereum transaction says it in weibar, the record in tinybar. */
function sentAlong({ ethType, value, amount }: ContractResultDetail): MarkupValue {
  if (ethType === null) return amount === null || amount === 0n ? null : hbar(amount);
  const weibar = value?.length ? toUnsignedInteger(value) : 0n;
  return weibar === 0n ? null : html`<span class="amount">${formatFraction(weibar, weibarDigits)} &hbar;</span>`;
}

function ethereumPrice({ gasPrice, maxFeePerGas }: ContractResultDetail): MarkupValue {
  const [bytes, words] = gasPrice?.length ? [gasPrice, ''] : [maxFeePerGas, 'at most '];
  return bytes?.length ? html`${words}${formatFraction(toUnsignedInteger(bytes), weibarDigits)} &hbar;` : null;
}

/** A revert is stored as the hex of what the contract returned. */
function failureOf(
  { errorMessage, callResult, transactionResult }: ContractResultDetail,
  abi: Abi | null,
): MarkupValue {
  if (isSuccess(transactionResult) && !errorMessage) return null;
  const isHex = errorMessage !== null && /^0x(?:[0-9a-f]{2})*$/i.test(errorMessage);
  const data = isHex ? Buffer.from(errorMessage.slice(2), 'hex') : (callResult ?? Buffer.alloc(0));
  const words = revertWords(abi, data);
  if (words !== null) return words;
  if (isHex) return hexBytes(data, { none: 'The contract gave no reason.', max: maxInput });
  return errorMessage ? foreignText(errorMessage, { max: 500 }) : null;
}

const maxInput = 768;
const maxOutput = 512;
/** Of a function. */
const selectorBytes = 4;

function inputPart({ functionParameters: input }: ContractResultDetail, called: DecodedCall | null): Markup | null {
  if (input.length === 0 && called === null) return null;
  const selector =
    called === null && input.length >= selectorBytes
      ? html`<p>Function ${code(`0x${input.toString('hex', 0, selectorBytes)}`)} <span class="faint">No checked source of the contract says what it is.</span></p>`
      : null;
  return html`<h3>Input</h3>${called === null ? selector : decodedCall(called, 'Arguments')}
<div>${hexBytes(input, { max: maxInput, none: html`<span class="faint">no bytes</span>` })}</div>`;
}

function outputPart(
  { callResult, transactionResult }: ContractResultDetail,
  abi: Abi | null,
  called: DecodedCall | null,
): Markup | null {
  if (!callResult?.length) return null;
  const known = isSuccess(transactionResult) && called !== null ? functionOf(abi, called) : undefined;
  const values = known === undefined ? null : decodeOutput(known, callResult);
  return html`<h3>Output</h3>${values === null || values.length === 0 ? null : decodedValues(values, 'Returned values')}
<div>${hexBytes(callResult, { max: maxOutput })}</div>`;
}

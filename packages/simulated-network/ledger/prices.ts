// Prices by the system files 0.0.113 (simple fees) and 0.0.112 (exchange rates), and by 0.0.111 (fee schedule) as long
// as a network of the older form has no simple fees. The network changes the files now and then, and reads them for
// every transaction, as consensus nodes do.
import { decodeFeeSchedule, type FeeSchedule } from '../../protocol/hapi/fee-schedule.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import type { BodyField } from '../../protocol/hapi/transaction-types.ts';
import { toLong } from './hapi-values.ts';
import type { Ledger } from './ledger.ts';
import { simpleFees } from './simple-fees.ts';

export const feeScheduleFile = 111n;
export const exchangeRateFile = 112n;
export const simpleFeesFile = 113n;

/** Who may change these files. */
export const systemFileAdmin = 50n;

/** The file that says what gas costs at genesis: simple fees, or the fee schedule of networks before HAPI 0.73. */
export type GenesisFees = '113' | '111';

export type Prices = {
  /** tinybar per gas */
  gas(): bigint;
  /** Thousandths of a tinycent. */
  gasInTinycents(): bigint;
  /** null: the network does not have them yet. */
  simpleFees(): FeeSchedule | null;
  /** Which file says what gas costs. */
  gasFile(): bigint;
  /** tinybar, gas not included */
  fee(kind: BodyField): bigint;
  rates(): proto.IExchangeRateSet;
};

/** hbar per cent: 30,000 hbar = 285,576 cents. With 852 tinycents one gas costs 89 tinybar. */
export const openingRate = { hbarEquiv: 30_000, centEquiv: 285_576 };
/** Thousandths of a tinycent, as the fee schedule has it. */
export const openingGasPrice = 852_000n;
/** Number of the extra for gas in the simple fees. */
export const gasExtra = 5;

/**
 * Thousandths of a cent (= 100,000 tinycent each); kinds not listed cost the default. Rounded prices of the public
 * list.
 */
const priceInThousandthCents: Partial<Record<BodyField, bigint>> = {
  cryptoTransfer: 10n,
  consensusSubmitMessage: 80n,
  cryptoCreateAccount: 5000n,
  tokenCreation: 100_000n,
  contractCreateInstance: 10_000n,
  contractCall: 0n,
  ethereumTransaction: 10n,
  tokenMint: 2000n,
  fileCreate: 5000n,
  fileAppend: 5000n,
  fileUpdate: 5000n,
  scheduleCreate: 1000n,
  consensusCreateTopic: 1000n,
  tokenAirdrop: 10_000n,
};
const defaultPrice = 100n;

/** In the far future: schedule and rate apply until the file is written again. */
const expirySeconds = 4_102_444_800n;

export function createPrices(ledger: Ledger): Prices {
  const gasPrice = readOnce((contents: Uint8Array) => {
    const { currentFeeSchedule } = proto.CurrentAndNextFeeSchedule.decode(contents);
    return toBigInt(currentFeeSchedule?.transactionFeeSchedule?.[0]?.fees?.[0]?.servicedata?.gas);
  });
  const simpleSchedule = readOnce((contents: Uint8Array) => decodeFeeSchedule(Buffer.from(contents)));
  const rateSet = readOnce((contents: Uint8Array) => proto.ExchangeRateSet.decode(contents));
  const contentsOf = (file: bigint) => ledger.tables.files.get(file)!.contents;
  const rates = () => rateSet(contentsOf(exchangeRateFile));
  const toTinybar = (tinycents: bigint, divisor = 1n) => {
    const { hbarEquiv, centEquiv } = rates().currentRate!;
    return (tinycents * BigInt(hbarEquiv!)) / (BigInt(centEquiv!) * divisor);
  };
  const currentSimpleFees = () => {
    const file = ledger.tables.files.get(simpleFeesFile);
    return file ? simpleSchedule(file.contents) : null;
  };
  // The fee schedule until there are simple fees; and in folders of earlier versions, which have both files and charge
  // by the older
  // one: their last blocks are made again, the same to the byte.
  const gasFile = () => {
    const simple = currentSimpleFees();
    const isOpening = !simple || simple.extraFees.get(gasExtra) === simpleFees.extraFees.get(gasExtra);
    return isOpening && ledger.tables.files.has(feeScheduleFile) ? feeScheduleFile : simpleFeesFile;
  };
  const gasInTinycents = () =>
    gasFile() === feeScheduleFile
      ? gasPrice(contentsOf(feeScheduleFile))
      : currentSimpleFees()!.extraFees.get(gasExtra)! * 1000n;
  return {
    gasInTinycents,
    gasFile,
    simpleFees: currentSimpleFees,
    gas: () => toTinybar(gasInTinycents(), 1000n),
    fee: (kind) => toTinybar((priceInThousandthCents[kind] ?? defaultPrice) * 100_000n),
    rates,
  };
}

/** `gasPrice`: thousandths of a tinycent. */
export function encodeGasPrices(gasPrice: bigint): Uint8Array {
  const fees = [{ nodedata: {}, networkdata: {}, servicedata: { gas: toLong(gasPrice) } }];
  const schedule = (expiry: bigint): proto.IFeeSchedule => ({
    transactionFeeSchedule: [
      { hederaFunctionality: proto.HederaFunctionality.ContractCall, fees },
      { hederaFunctionality: proto.HederaFunctionality.ContractCreate, fees },
      { hederaFunctionality: proto.HederaFunctionality.EthereumTransaction, fees },
    ],
    expiryTime: { seconds: toLong(expiry) },
  });
  return proto.CurrentAndNextFeeSchedule.encode({
    currentFeeSchedule: schedule(expirySeconds),
    nextFeeSchedule: schedule(expirySeconds + 31_536_000n),
  }).finish();
}

export function encodeExchangeRates(rate: { hbarEquiv: number; centEquiv: number }): Uint8Array {
  return proto.ExchangeRateSet.encode({
    currentRate: { ...rate, expirationTime: { seconds: toLong(expirySeconds) } },
    nextRate: { ...rate, expirationTime: { seconds: toLong(expirySeconds + 3600n) } },
  }).finish();
}

/** Caches values of the newest contents: the ledger keeps the same array until the file changes. */
function readOnce<T>(read: (contents: Uint8Array) => T): (contents: Uint8Array) => T {
  let known: { contents: Uint8Array; value: T } | null = null;
  return (contents) => {
    if (known?.contents !== contents) known = { contents, value: read(contents) };
    return known.value;
  };
}

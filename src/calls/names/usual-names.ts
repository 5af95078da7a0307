// What calls, logs and reverts say: as the checked ABI of the contract reads them, else by a name that contracts of many
// authors have in common, or that is one of the system contracts'. Such a reading is marked: it is by its name only.
import { type Abi, type AbiFunction, emptyAbi } from '../../../packages/abi/abi.ts';
import { decodeCall, decodeLog, decodeRevert } from '../../../packages/abi/decode-call.ts';
import type { DecodedCall } from '../../../packages/abi/decoded-value.ts';
import { readSignatures } from '../../../packages/abi/read-signatures.ts';
import { selectorBytes, signatureHash } from '../../../packages/abi/selector.ts';
import { usualSignatures } from '../../../packages/abi/usual-signatures.ts';
import { systemContracts } from '../../../packages/machine/machine.ts';
import { decodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';

/** null, undefined = neither the contract nor its implementation was checked. */
type CheckedAbi = Abi | null | undefined;

export function readCall(checked: CheckedAbi, data: Buffer): DecodedCall | null {
  return (checked && decodeCall(checked, data)) ?? byName(data.length < selectorBytes ? null : nameCall(data));
}

/** `topics`: as stored, perhaps without leading zeros. */
export function readLog(checked: CheckedAbi, topics: readonly Buffer[], data: Buffer): DecodedCall | null {
  const topic = topics[0]?.toString('hex').padStart(64, '0') ?? '';
  return (
    (checked && decodeLog(checked, topics, data)) ??
    byName(decodeLog({ ...emptyAbi, events: usual().events.get(topic) ?? [] }, topics, data))
  );
}

/** `Error(string)` and `Panic(uint256)` are the language's own, and are not marked. */
export function readRevert(checked: CheckedAbi, data: Buffer): DecodedCall | null {
  const errors = () => usual().errors.get(data.toString('hex', 0, selectorBytes)) ?? [];
  return decodeRevert(checked ?? null, data) ?? byName(decodeRevert({ ...emptyAbi, errors: errors() }, data));
}

/** What was called, with what it returns. */
export function functionOf(checked: CheckedAbi, { signature, isByName }: DecodedCall): AbiFunction | undefined {
  const among = isByName
    ? usual().functions.get(signatureHash(signature).toString('hex', 0, selectorBytes))
    : checked?.functions;
  return among?.find((one) => one.signature === signature);
}

/** Of a contract of the ledger itself, whose functions are known; null = it is none. `id`: packed. */
export function systemAbiOf(id: bigint): Abi | null {
  return usual().system.get(decodeEntityId(id).num) ?? null;
}

function nameCall(data: Buffer): DecodedCall | null {
  const functions = usual().functions.get(data.toString('hex', 0, selectorBytes));
  return functions === undefined ? null : decodeCall({ ...emptyAbi, functions }, data);
}

function byName(call: DecodedCall | null): DecodedCall | null {
  return call && { ...call, isByName: true };
}

type Usual = {
  /** By selector or topic, hex. */
  functions: ReadonlyMap<string, AbiFunction[]>;
  errors: ReadonlyMap<string, Abi['errors']>;
  events: ReadonlyMap<string, Abi['events']>;
  /** By number. */
  system: ReadonlyMap<bigint, Abi>;
};

let made: Usual | null = null;

/** Made when the first is asked for, in some 35 ms: hashes of five hundred signatures. */
function usual(): Usual {
  if (made !== null) return made;
  const ofSystem = [...systemContracts].map(
    ([num, { signatures }]) => [num, { functions: signatures.join('\n') }] as const,
  );
  const { functions, errors, events } = readSignatures([
    ...Object.values(usualSignatures),
    ...ofSystem.map(([, group]) => group),
  ]);
  made = {
    functions: Map.groupBy(functions, ({ selector }) => selector),
    errors: Map.groupBy(errors, ({ selector }) => selector),
    events: Map.groupBy(events, ({ topic }) => topic),
    system: new Map(ofSystem.map(([num, group]) => [num, readSignatures([group])])),
  };
  return made;
}

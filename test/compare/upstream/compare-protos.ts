// Protos of a checkout against ours: transaction types, functionalities, response codes, items of blocks, and every
// message that streams and system files are made of. A field is the same if its number, name and encoding are.
import type { Finding } from './finding.ts';
import type { OurFacts } from './our-facts.ts';
import { type Field, type Fields, type ProtoFacts, reachableFrom, resolveType } from './proto-facts.ts';

/** What streams and system files consist of. */
const roots = [
  ...['Transaction', 'SignedTransaction', 'TransactionBody', 'TransactionRecord', 'TransactionReceipt'],
  ...['RecordStreamFile', 'SignatureFile', 'SidecarFile', 'TransactionSidecarRecord'],
  ...['Block', 'BlockItem', 'StateChanges', 'TransactionResult', 'TransactionOutput', 'TraceData'],
  ...['NodeAddressBook', 'CurrentAndNextFeeSchedule', 'fees.FeeSchedule', 'ExchangeRateSet'],
];
/** Enums that have their own table, or no fields that use them. */
const functionality = 'HederaFunctionality';
const responseCodes = 'ResponseCodeEnum';

export function comparesProtos(theirs: ProtoFacts): boolean {
  return theirs.messages.has('TransactionBody') || theirs.messages.has('BlockItem');
}

export function compareProtos(theirs: ProtoFacts, ours: OurFacts): Finding[] {
  return [
    ...transactionTypeFindings(theirs, ours),
    ...enumFindings('Functionalities', functionality, theirs, ours.enums.get(functionality)),
    ...enumFindings('Response codes', responseCodes, theirs, ours.tables.responseCodes),
    ...messageFindings(theirs, ours),
  ];
}

function transactionTypeFindings(theirs: ProtoFacts, { tables }: OurFacts): Finding[] {
  const body = theirs.messages.get('TransactionBody');
  if (!body) return [];
  const data = new Map(
    [...body].filter(([, { oneof }]) => oneof === 'data').map(([number, { name }]) => [number, name]),
  );
  return compareNames('Transaction types', 'TransactionBody', data, tables.transactionTypes);
}

function enumFindings(
  section: string,
  name: string,
  theirs: ProtoFacts,
  own: ReadonlyMap<number, string> | undefined,
): Finding[] {
  const found = theirs.enums.get(name);
  return found ? compareNames(section, name, found, own ?? new Map()) : [];
}

function messageFindings(theirs: ProtoFacts, ours: OurFacts): Finding[] {
  const reached = reachableFrom(roots, theirs);
  const findings: Finding[] = [];
  for (const name of [...reached].sort()) {
    const section = sectionOf(name);
    const fields = theirs.messages.get(name);
    if (!fields) {
      const own = ours.enums.get(name);
      const isCompared = name !== functionality && name !== responseCodes;
      if (own && isCompared) findings.push(...compareNames('Enums', name, theirs.enums.get(name)!, own));
      continue;
    }
    // Ours may stand beside the message that theirs is inside of.
    const own = ours.messages.get(name) ?? ours.messages.get(lastOf(name));
    if (own) findings.push(...compareFields(section, name, { fields, facts: theirs }, { fields: own, facts: ours }));
    else findings.push({ section, subject: name, side: 'only there', text: `the message, of ${fields.size} fields` });
  }
  const theirNames = new Set([...theirs.messages.keys()].flatMap((name) => [name, lastOf(name)]));
  for (const [name, anchor] of ours.own) {
    if (!theirs.messages.has(anchor) || theirNames.has(name)) continue;
    findings.push({ section: sectionOf(name), subject: name, side: 'only here', text: 'the message' });
  }
  return findings;
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function sectionOf(name: string): string {
  if (name === 'BlockItem') return 'Items of blocks';
  return /^(State|Map|Singleton|Queue|NewState|RemovedState).*(Change|Key|Value|Changes)$/.test(name)
    ? 'State changes'
    : 'Messages';
}

type Side = { fields: Fields; facts: ProtoFacts };

function compareFields(section: string, message: string, there: Side, here: Side): Finding[] {
  // Those of transaction bodies are types of transactions.
  const isType = ({ oneof }: Field) => message === 'TransactionBody' && oneof === 'data';
  const names = (fields: Fields) =>
    new Map([...fields].flatMap(([number, field]) => (isType(field) ? [] : [[number, field.name]])));
  const findings = compareNames(section, message, names(there.fields), names(here.fields));
  for (const [number, field] of there.fields) {
    const own = here.fields.get(number);
    if (!own) continue;
    const [encoding, ownEncoding] = [encodingOf(field, message, there.facts), encodingOf(own, message, here.facts)];
    if (encoding === ownEncoding) continue;
    const text = `${field.name} is ${field.type} there, ${own.type} here`;
    findings.push({ section, subject: `${message} ${number}`, side: 'otherwise', text });
  }
  return findings;
}

function compareNames(
  section: string,
  subject: string,
  theirs: ReadonlyMap<number, string>,
  ours: ReadonlyMap<number, string>,
): Finding[] {
  const numbers = [...new Set([...theirs.keys(), ...ours.keys()])].sort((one, other) => one - other);
  return numbers.flatMap((number): Finding[] => {
    const [there, here] = [theirs.get(number), ours.get(number)];
    const of = { section, subject: `${subject} ${number}` };
    if (here === undefined) return [{ ...of, side: 'only there', text: there! }];
    if (there === undefined) return [{ ...of, side: 'only here', text: here }];
    if (plain(there) === plain(here)) return [];
    return [{ ...of, side: 'otherwise', text: `${there} there, ${here} here` }];
  });
}

/** snake_case and camelCase are one name. */
function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

const varints = new Set(['int32', 'int64', 'uint32', 'uint64', 'bool']);
const encodings: Readonly<Record<string, string>> = {
  ...{ sint32: 'zigzag', sint64: 'zigzag', fixed32: '4 bytes', sfixed32: '4 bytes', float: '4 bytes' },
  ...{ fixed64: '8 bytes', sfixed64: '8 bytes', double: '8 bytes' },
};

/** Messages, texts, bytes and lists are the same on the wire; so are whole numbers, truth values and enums. */
function encodingOf({ type }: Field, message: string, facts: ProtoFacts): string {
  if (varints.has(type)) return 'varint';
  const found = resolveType(type, message, facts);
  return found !== null && facts.enums.has(found) ? 'varint' : (encodings[type] ?? 'length');
}

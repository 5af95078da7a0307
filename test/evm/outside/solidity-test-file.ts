// A semantic test of the Solidity compiler: sources, settings, and calls with what they return, revert with and emit.

export type SolidityTest = {
  /** By name; the name of a single source is empty. */
  sources: Map<string, string>;
  /** Name → path of a file beside the test. */
  externalSources: Map<string, string>;
  settings: Map<string, string>;
  calls: SolidityCall[];
};

export type SolidityCall = {
  kind: 'library' | 'constructor' | 'function' | 'data' | 'builtin';
  /** Of a library its file and name, `file:name`; of a builtin its name without brackets. */
  signature: string;
  value: bigint;
  data: Uint8Array;
  fails: boolean;
  output: Uint8Array;
  events: SolidityEvent[];
};

export type SolidityEvent = {
  /** null: anonymous. */
  signature: string | null;
  /** null: the contract itself. */
  address: bigint | null;
  topics: Uint8Array[];
  data: Uint8Array;
};

const builtins: ReadonlySet<string> = new Set([
  ...['account', 'balance', 'storageEmpty', 'isoltest_builtin_test', 'isoltest_side_effects_test'],
]);
const units: Readonly<Record<string, bigint>> = { wei: 1n, ether: 10n ** 18n };

export function readSolidityTest(text: string): SolidityTest {
  const [body, expected] = split(text, /^\/\/ ----$/m);
  const [source, settings] = split(body, /^\/\/ ====$/m);
  const lines = expected.split('\n').map((line) => line.replace(/^\/\/ ?/, ''));
  return { ...readSources(source), settings: readSettings(settings), calls: readCalls(lines) };
}

function split(text: string, mark: RegExp): [string, string] {
  const found = mark.exec(text);
  return found === null ? [text, ''] : [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

function readSettings(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^\/\/ (\w+): (.*)$/gm)].map(([, name, value]) => [name!, value!.trim()]));
}

function readSources(text: string): Pick<SolidityTest, 'sources' | 'externalSources'> {
  const sources = new Map<string, string>();
  const externalSources = new Map<string, string>();
  let name = '';
  let lines: string[] = [];
  const end = () => {
    if (sources.size > 0 || name !== '' || lines.some((line) => line.trim() !== ''))
      sources.set(name, lines.join('\n'));
    lines = [];
  };
  for (const line of text.split('\n')) {
    const [, kind, value] = /^==== (Source|ExternalSource): (.*) ====$/.exec(line) ?? [];
    if (kind === undefined) lines.push(line);
    else if (kind === 'ExternalSource') {
      const [alias, path = alias] = value!.split('=');
      externalSources.set(alias!, path!);
    } else {
      end();
      name = value!.trim();
    }
  }
  end();
  return { sources, externalSources };
}

function readCalls(lines: readonly string[]): SolidityCall[] {
  const calls: SolidityCall[] = [];
  let open: string[] = [];
  let events: string[] = [];
  const end = () => {
    if (open.length > 0) calls.push(readCall(open.join(' '), events));
    [open, events] = [[], []];
  };
  for (const line of lines) {
    const trimmed = line.trim();
    if (trimmed.startsWith('~')) events.push(trimmed.slice(1).trim());
    else if (trimmed !== '' && !/^gas \w+( code)?:/.test(trimmed)) {
      if (isBeginning(trimmed, open)) end();
      open.push(trimmed);
    }
  }
  end();
  return calls;
}

/** A call may go on in the next line, in its arguments, at the arrow and in what it returns. */
function isBeginning(line: string, open: readonly string[]): boolean {
  if (open.length === 0) return true;
  if (/[,:]$/.test(open.at(-1)!)) return false;
  return /^(library:|\w*\(|\w+:|\w+ ->|\w+$)/.test(line) && !/^(left|right)\(|^(true|false|FAILURE)\b/.test(line);
}

const token =
  /\s+|#[^#]*#|hex"[0-9a-fA-F]*"|"(?:[^"\\]|\\.)*"|->|0x[0-9a-fA-F]+|\d+(?:\.\d+)?|[A-Za-z_$][\w$.]*|[()[\],:-]/gy;

function tokensOf(text: string): string[] {
  const found = text.match(token) ?? [];
  if (found.join('') !== text) throw new Error(`It cannot be read after ${found.join('')}: ${text}`);
  return found.filter((one) => one.trim() !== '' && !one.startsWith('#'));
}

function readCall(text: string, events: readonly string[]): SolidityCall {
  const tokens = tokensOf(text);
  if (tokens[0] === 'library') return { ...readLibrary(tokens), events: [] };
  const take = () => tokens.shift()!;
  const signature = takeSignature(tokens);
  let value = 0n;
  if (tokens[0] === ',') {
    take();
    value = BigInt(take()) * units[take()]!;
  }
  const data = tokens[0] === ':' ? takeValues(tokens) : [];
  const results = tokens[0] === '->' ? takeValues(tokens) : [];
  if (tokens.length > 0) throw new Error(`${tokens.join(' ')} is left of ${text}`);
  const fails = results[0] === null;
  return {
    kind: kindOf(signature),
    signature,
    value,
    data: join(data),
    fails,
    output: join(results),
    events: events.map(readEvent),
  };
}

function kindOf(signature: string): SolidityCall['kind'] {
  if (builtins.has(signature)) return 'builtin';
  return signature === 'constructor()' ? 'constructor' : signature === '()' ? 'data' : 'function';
}

function readLibrary(tokens: readonly string[]): Omit<SolidityCall, 'events'> {
  const [first, ...rest] = tokens.slice(2);
  const [file, name] = first!.startsWith('"') ? [first!.slice(1, -1), rest.at(-1)!] : ['', rest.at(-1) ?? first!];
  const none = new Uint8Array(0);
  return { kind: 'library', signature: `${file}:${name}`, value: 0n, data: none, fails: false, output: none };
}

function takeSignature(tokens: string[]): string {
  let signature = tokens[0] === '(' ? '' : tokens.shift()!;
  if (tokens[0] !== '(') return signature;
  let depth = 0;
  do {
    const one = tokens.shift()!;
    signature += one;
    if (one === '(') depth += 1;
    else if (one === ')') depth -= 1;
  } while (depth > 0);
  return signature;
}

/** Behind a colon or an arrow. null: FAILURE. */
function takeValues(tokens: string[]): (Uint8Array | null)[] {
  const values: (Uint8Array | null)[] = [];
  do {
    tokens.shift();
    if (tokens.length === 0 || tokens[0] === '->') break;
    values.push(takeValue(tokens));
  } while (tokens[0] === ',');
  return values;
}

function takeValue(tokens: string[]): Uint8Array | null {
  const one = tokens.shift()!;
  if (one === 'FAILURE') return null;
  if (one === 'left' || one === 'right') {
    tokens.shift();
    const bytes = compactOf(tokens.shift()!);
    tokens.shift();
    return one === 'left' ? alignLeft(bytes) : alignRight(bytes);
  }
  if (one === '-') return alignRight(compactOf(`-${tokens.shift()}`));
  if (one.startsWith('hex"')) return Uint8Array.from(Buffer.from(even(one.slice(4, -1)), 'hex'));
  return one.startsWith('"') ? alignLeft(unescaped(one.slice(1, -1))) : alignRight(compactOf(one));
}

/** Of a number or a truth value: as few bytes as it is written with. */
function compactOf(text: string): Uint8Array {
  if (text === 'true' || text === 'false') return Uint8Array.of(text === 'true' ? 1 : 0);
  if (text.startsWith('0x')) return Uint8Array.from(Buffer.from(even(text.slice(2)), 'hex'));
  const number = BigInt.asUintN(256, BigInt(text.replace('.', '')));
  return Uint8Array.from(Buffer.from(even(number.toString(16)), 'hex'));
}

function even(digits: string): string {
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

const escapes: Readonly<Record<string, string>> = { '0': '\0', n: '\n', r: '\r', t: '\t' };

function unescaped(text: string): Uint8Array {
  const plain = text.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/g, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Uint8Array.from(Buffer.from(plain, 'latin1'));
}

function alignLeft(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32);
  word.set(bytes);
  return word;
}

function alignRight(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(32);
  word.set(bytes, 32 - bytes.length);
  return word;
}

function join(parts: readonly (Uint8Array | null)[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts.filter((part) => part !== null)));
}

/** `emit Name(types) from 0x…: #topic, data`. */
function readEvent(text: string): SolidityEvent {
  const [, named, from, list = ''] = /^emit (\S+?)(?: from (0x[0-9a-fA-F]+))?(?:: (.*))?$/.exec(text) ?? [];
  if (named === undefined) throw new Error(`${text} is no event`);
  const topics: Uint8Array[] = [];
  const data: Uint8Array[] = [];
  for (const item of list.match(/#?(?:hex"[^"]*"|"(?:[^"\\]|\\.)*"|[^,\s]+)/g) ?? []) {
    const value = takeValue(tokensOf(item.replace(/^#/, '')))!;
    if (item.startsWith('#')) topics.push(value);
    else data.push(value);
  }
  return {
    signature: named === '<anonymous>' ? null : named,
    address: from === undefined ? null : BigInt(from),
    topics,
    data: join(data),
  };
}

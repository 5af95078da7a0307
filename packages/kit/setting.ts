// Kinds of settings: how the text is read, its default, and its description. Flag, environment variable and member of
// the configuration file follow from the name.

export type Setting<T> = {
  /** Stands for the value in help texts, e.g. `<port>`; empty for switches. */
  placeholder: string;
  description: string;
  /** undefined = optional without a default. */
  default: T | undefined;
  /** Shown as the default if that is determined at run time, or if there is none. */
  defaultText?: string;
  /** A further environment variable that is read after `LEDGER_MIRROR_…`. */
  environment?: string;
  /** Hidden values are never printed. */
  secret?: boolean;
  /** Reads the text form. Throws an Error with a message that completes "… must be". */
  parse(text: string): T;
};

type Options<T> = Partial<Omit<Setting<T>, 'description' | 'parse'>>;

/** `read` returns undefined for a text of another shape. */
export type Kind<T> = { placeholder: string; shape: string; read(text: string): T | null | undefined };

export function setting<T>(
  { placeholder, shape, read }: Kind<T>,
  options: Options<NoInfer<T>>,
  description: string,
): Setting<T> {
  return {
    placeholder,
    default: undefined,
    ...(options.default === undefined && { defaultText: 'none' }),
    ...options,
    description,
    parse(text) {
      const value = read(text);
      if (value === null || value === undefined) throw new Error(shape);
      return value;
    },
  };
}

export function text(options: Options<string>, description: string): Setting<string> {
  const read = (given: string): string | null => given || null;
  return setting({ placeholder: '<text>', shape: 'a non-empty text', read }, options, description);
}

export function file(options: Options<string>, description: string): Setting<string> {
  return text({ placeholder: '<file>', ...options }, description);
}

/** `example`: a whole one, where there is more to it than a host. */
export function url(
  options: Options<string> & { schemes: readonly string[]; example?: string },
  description: string,
): Setting<string> {
  const { schemes, example, ...rest } = options;
  const such = `a URL such as ${schemes.map((scheme) => `${scheme}://…`).join(' or ')}`;
  const shape = example === undefined ? such : `${such}, in full ${example}`;
  const read = (given: string): string | null => {
    // PostgreSQL allows an address without a host if a parameter names the folder of its socket.
    const whole = given.replace(/^([a-z]+:\/\/[^/?#]*@)\//, '$1socket/').replace(/^([a-z]+:\/\/)\//, '$1socket/');
    // `URL` takes http:/host for http://host, and postgres:/mirror for an address without a host.
    const found = /^[a-z]+:\/\//i.test(given) ? URL.parse(whole) : null;
    return found && schemes.includes(found.protocol.slice(0, -1)) ? given : null;
  };
  return setting({ placeholder: '<url>', shape, read }, rest, description);
}

type Bounds = { min: number; max: number };

export function integer(
  { min, max, unit = 'n', ...options }: Options<number> & Bounds & { unit?: string },
  description: string,
): Setting<number> {
  const read = (given: string): number | null => {
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    return value >= min && value <= max ? value : null;
  };
  const shape = `a whole number from ${min} to ${max}`;
  return setting({ placeholder: `<${unit}>`, shape, read }, options, description);
}

export function port({ min = 0, ...options }: Options<number> & Partial<Bounds>, description: string): Setting<number> {
  return integer({ min, max: 65_535, unit: 'port', ...options }, description);
}

export function bigint({ hex, ...options }: Options<bigint> & { hex?: boolean }, description: string): Setting<bigint> {
  const read = (given: string): bigint | null =>
    /^\d{1,18}$/.test(given) || (hex && /^0x[0-9a-fA-F]{1,15}$/.test(given)) ? BigInt(given) : null;
  const shape = hex ? 'a whole number, decimal or 0x…' : 'a whole number';
  return setting({ placeholder: '<n>', shape, read }, options, description);
}

export function choice<const C extends string>(
  { choices, ...options }: Options<NoInfer<C>> & { choices: readonly C[] },
  description: string,
): Setting<C> {
  const read = (given: string): C | undefined => choices.find((one) => one === given);
  const kind = { placeholder: `<${choices.join('|')}>`, shape: `one of ${choices.join(', ')}`, read };
  return setting<C>(kind, options, description);
}

const switchTexts: Record<string, boolean> = { true: true, 1: true, false: false, 0: false };

export function onOff(options: Options<boolean> & { default: boolean }, description: string): Setting<boolean> {
  return setting(
    { placeholder: '', shape: 'true or false', read: (given) => switchTexts[given] },
    options,
    description,
  );
}

type Table = Record<string, Setting<unknown>>;
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** The values of settings as members of an object: `limit-max` is `limitMax`. */
export type SettingMembers<T extends Table> = {
  [Name in keyof T & string as Camel<Name>]: T[Name] extends Setting<infer Value> ? Value : never;
};

export function toMembers<T extends Table>(table: T, read: (name: keyof T & string) => unknown): SettingMembers<T> {
  const members = Object.keys(table).map((name) => [
    name.replaceAll(/-(.)/g, (_match, letter: string) => letter.toUpperCase()),
    read(name),
  ]);
  return Object.fromEntries(members) as SettingMembers<T>;
}

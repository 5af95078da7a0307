// How one setting is described: its value's shape, its default, where it applies. Flag, environment variable and member
// of the configuration file all follow from its name.
import { isIP } from 'node:net';
import { type FilterTerms, parseFilterTerms } from '../../importer/extent/stream-filter.ts';
import {
  parseStartPoint,
  parseStreamPoint,
  type StartPoint,
  type StreamPoint,
} from '../../importer/extent/stream-point.ts';
import { type ConsensusRatio, parseConsensusRatio } from '../../importer/open/consensus-ratio.ts';

export const commandNames = ['start', 'import', 'serve', 'status', 'network', 'verify', 'migrate', 'doctor'] as const;
export type CommandName = (typeof commandNames)[number];

export type Setting<T> = {
  /** What stands for the value in help texts, e.g. `<port>`; empty for switches. */
  placeholder: string;
  description: string;
  commands: readonly CommandName[];
  /** undefined = optional without a default. */
  default: T | undefined;
  /** Said in place of the default where a default is found out at run time. */
  defaultText?: string;
  /** A further environment variable that is read after `LEDGER_MIRROR_…`. */
  environment?: string;
  /** Hidden values are never printed. */
  secret?: boolean;
  /** Reads the text form. Throws an Error with a message that completes "… must be". */
  parse(text: string): T;
};

type Common<T> = Pick<Setting<T>, 'description' | 'commands'> &
  Partial<Pick<Setting<T>, 'placeholder' | 'defaultText' | 'environment' | 'secret'>>;

export function textSetting(options: Common<string> & { default?: string }): Setting<string> {
  return {
    placeholder: '<text>',
    ...options,
    default: options.default,
    parse(text) {
      if (text === '') throw new Error('a non-empty text');
      return text;
    },
  };
}

export function urlSetting(
  options: Common<string> & { default?: string; schemes: readonly string[] },
): Setting<string> {
  const { schemes, ...rest } = options;
  const shapes = schemes.map((scheme) => `${scheme}://…`).join(' or ');
  return {
    placeholder: '<url>',
    ...rest,
    default: options.default,
    parse(text) {
      // PostgreSQL allows an address without a host where a parameter names the folder of its socket.
      const url = URL.parse(
        text.replace(/^([a-z]+:\/\/[^/?#]*@)\//, '$1socket/').replace(/^([a-z]+:\/\/)\//, '$1socket/'),
      );
      if (!url || !schemes.includes(url.protocol.slice(0, -1))) throw new Error(`a URL such as ${shapes}`);
      return text;
    },
  };
}

/** Where people can be reached, as security.txt names it (RFC 9116). */
export function contactSetting(options: Common<string>): Setting<string> {
  return {
    placeholder: '<uri>',
    ...options,
    default: undefined,
    parse(text) {
      const isContact = /^(?:mailto:|https:\/\/|tel:)[\x21-\x7e]+$/i.test(text);
      if (!isContact) throw new Error('mailto:…, https://… or tel:…');
      return text;
    },
  };
}

export function integerSetting(
  options: Common<number> & { default?: number; min: number; max: number },
): Setting<number> {
  const { min, max, ...rest } = options;
  return {
    placeholder: '<n>',
    ...rest,
    default: options.default,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) throw new Error(`a whole number from ${min} to ${max}`);
      return value;
    },
  };
}

export function bigintSetting(options: Common<bigint> & { default?: bigint; hex?: boolean }): Setting<bigint> {
  const { hex, ...rest } = options;
  return {
    placeholder: '<n>',
    ...rest,
    default: options.default,
    parse(text) {
      if (/^\d{1,18}$/.test(text) || (hex && /^0x[0-9a-fA-F]{1,15}$/.test(text))) return BigInt(text);
      throw new Error(hex ? 'a whole number, decimal or 0x…' : 'a whole number');
    },
  };
}

export function ratioSetting(options: Common<ConsensusRatio> & { default: ConsensusRatio }): Setting<ConsensusRatio> {
  return {
    placeholder: '<ratio>',
    ...options,
    parse(text) {
      const ratio = parseConsensusRatio(text);
      if (!ratio) throw new Error('a share above 0 and at most 1, such as 1/3 or 0.5');
      return ratio;
    },
  };
}

const nsOfUnit: Record<string, bigint> = { h: 3_600_000_000_000n, d: 86_400_000_000_000n, w: 604_800_000_000_000n };

/** In nanoseconds. */
export function durationSetting(options: Common<bigint>): Setting<bigint> {
  return {
    placeholder: '<duration>',
    ...options,
    default: undefined,
    parse(text) {
      const match = /^([1-9]\d{0,4})([hdw])$/.exec(text);
      if (!match) throw new Error('a number of hours, days or weeks such as 36h, 7d or 12w');
      return BigInt(match[1]!) * nsOfUnit[match[2]!]!;
    },
  };
}

export function filterSetting(options: Common<FilterTerms>): Setting<FilterTerms> {
  return {
    placeholder: '<id|type,...>',
    ...options,
    default: undefined,
    parse(text) {
      const terms = parseFilterTerms(text);
      if (terms) return terms;
      throw new Error('entity ids and names of transaction types with commas between, such as 0.0.1001,TOKENMINT');
    },
  };
}

const pointShapes = 'a block number, seconds with a point such as 1700000000.0, or a time such as 2026-01-31T12:00:00Z';

export function startPointSetting(options: Common<StartPoint>): Setting<StartPoint> {
  return {
    placeholder: '<time|block|genesis|now>',
    ...options,
    default: undefined,
    parse(text) {
      const point = parseStartPoint(text);
      if (!point) throw new Error(`genesis, now, ${pointShapes}`);
      return point;
    },
  };
}

export function streamPointSetting(options: Common<StreamPoint>): Setting<StreamPoint> {
  return {
    placeholder: '<time|block>',
    ...options,
    default: undefined,
    parse(text) {
      const point = parseStreamPoint(text);
      if (!point) throw new Error(pointShapes);
      return point;
    },
  };
}

export function choiceSetting<const C extends string>(
  options: Common<C> & { choices: readonly C[]; default?: C },
): Setting<C> {
  const { choices, ...rest } = options;
  return {
    placeholder: `<${choices.join('|')}>`,
    ...rest,
    default: options.default,
    parse(text) {
      const found = choices.find((choice) => choice === text);
      if (!found) throw new Error(`one of ${choices.join(', ')}`);
      return found;
    },
  };
}

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and networks (`10.0.0.0/8`) with commas between them, checked and otherwise as they are typed. */
export function addressListSetting(options: Common<string>): Setting<string> {
  return {
    placeholder: '<address,...>',
    ...options,
    default: undefined,
    parse(text) {
      for (const entry of text.split(',')) {
        const [address = '', bits, ...more] = entry.trim().split('/');
        const largest = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
        const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= largest);
        if (namedNetworks.includes(entry.trim()) || (largest > 0 && isNetwork && more.length === 0)) continue;
        throw new Error(
          `addresses or networks such as 10.0.0.0/8, or ${namedNetworks.join(', ')}, with commas between`,
        );
      }
      return text;
    },
  };
}

export function switchSetting(options: Common<boolean> & { default: boolean }): Setting<boolean> {
  return {
    placeholder: '',
    ...options,
    parse(text) {
      if (text === 'true' || text === '1') return true;
      if (text === 'false' || text === '0') return false;
      throw new Error('true or false');
    },
  };
}

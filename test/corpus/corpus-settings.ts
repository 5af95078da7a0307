// The settings a specification asks for, by the names of the mirror node's own configuration, as ours.

import type { JsonValue } from '../../packages/postgres/wire/values.ts';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import type { JsonObject } from '../../packages/test-support/rows/spec-file.ts';
import type { HttpSettings, HttpUser } from '../../src/api/frame/http-settings.ts';

/** `configs` in order of precedence, the last one wins; on top of what all specifications assume. */
export function toHttpSettings(configs: readonly JsonObject[], clock: () => bigint): HttpSettings {
  const settings: HttpSettings = { ...defaultHttpSettings, ...assumed, clock };
  for (const [path, value] of configs.flatMap((config) => leaves(config))) {
    const apply = appliers[path];
    if (!apply) throw new Error(`The specification sets "${path}"; known: ${Object.keys(appliers).join(', ')}`);
    Object.assign(settings, apply(value));
  }
  return settings;
}

/** The clock of `features.fakeTime` (seconds since 1970, or a date), which stands still; otherwise the real one. */
export function toClock(features: JsonValue | undefined): () => bigint {
  const fakeTime = (features as JsonObject | undefined)?.fakeTime;
  if (fakeTime === undefined) return defaultHttpSettings.clock;
  const ms = typeof fakeTime === 'string' ? Date.parse(fakeTime) : Number(fakeTime) * 1000;
  if (Number.isNaN(ms)) throw new Error(`The specification's fakeTime "${String(fakeTime)}" is no time`);
  return () => BigInt(ms) * 1_000_000n;
}

const assumed: Partial<HttpSettings> = { maxRepeatedParameters: 8, delegationAddress: true };

const appliers: Record<string, (value: JsonValue) => Partial<HttpSettings>> = {
  'query.bindTimestampRange': (value) => ({ bindTimestampRange: value === true }),
  'query.maxRepeatedQueryParameters': (value) => ({ maxRepeatedParameters: Number(value) }),
  'query.maxTimestampRangeNs': (value) => ({ maxTimestampRange: BigInt(String(value)) }),
  'query.maxTransactionsTimestampRangeNs': (value) => ({ maxTransactionsTimestampRange: BigInt(String(value)) }),
  'query.syntheticContractResults': (value) => ({ syntheticResults: value === true }),
  // A way of the mirror node to find partitions: its answers are the same.
  'query.topicMessageLookup': () => ({}),
  'response.enableDelegationAddress': (value) => ({ delegationAddress: value === true }),
  // The mirror node reads its default when it starts, before a specification can set one: 25 stays.
  'response.limit.default': () => ({}),
  'response.limit.max': (value) => ({ limitMax: Number(value) }),
  'response.limit.tokenBalance.singleAccount': (value) => ({ tokenBalanceLimit: Number(value) }),
  'response.limit.tokenBalance.multipleAccounts': (value) => ({ listedTokenBalanceLimit: Number(value) }),
  chainId: (value) => ({ network: { chainId: BigInt(String(value)) } }),
  users: (value) => ({ users: (value as JsonObject[]).map(toUser) }),
};

function toUser(user: JsonObject): HttpUser {
  return {
    username: String(user.username),
    password: String(user.password),
    limit: user.limit === undefined ? undefined : Number(user.limit),
  };
}

function leaves(config: JsonObject, prefix = ''): [string, JsonValue][] {
  return Object.entries(config).flatMap(([name, value]): [string, JsonValue][] => {
    const path = `${prefix}${name}`;
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isGroup ? leaves(value as JsonObject, `${path}.`) : [[path, value]];
  });
}

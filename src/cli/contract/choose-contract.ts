// Which contract of a build is meant.
import { UsageError } from '../../runtime/settings/usage-error.ts';
import { type Build, type BuildContract, fullNameOf } from './build-contract.ts';

/** `wanted`: `path:Name` or `Name`; undefined = there is only one. Throws a UsageError that lists those that fit. */
export function chooseContract(build: Build, wanted: string | undefined): BuildContract {
  const fitting = build.contracts.filter((contract) => contract.hasCode && (!wanted || isCalled(contract, wanted)));
  if (fitting.length === 1) return fitting[0]!;
  const names = (contracts: BuildContract[]) => shorten(contracts.map(fullNameOf));
  if (fitting.length > 1) {
    const which = wanted
      ? `${build.place} has ${fitting.length} contracts ${wanted}`
      : `${build.place} has several contracts`;
    throw new UsageError(`${which}: name one with --contract <path:Name>. There are ${names(fitting)}.`);
  }
  const without = build.contracts.find((contract) => !contract.hasCode && wanted && isCalled(contract, wanted));
  if (without) throw new UsageError(`${fullNameOf(without)} has no code: it is an interface or abstract.`);
  const all = build.contracts.filter(({ hasCode }) => hasCode);
  const there = all.length > 0 ? `There are ${names(all)}.` : 'There are none with code.';
  throw new UsageError(`${build.place} has no contract${wanted ? ` ${wanted}` : ''}. ${there}`);
}

function isCalled({ path, knownAs, name }: BuildContract, wanted: string): boolean {
  const cut = wanted.lastIndexOf(':');
  if (wanted.slice(cut + 1) !== name) return false;
  return cut < 0 || [path, knownAs].includes(wanted.slice(0, cut));
}

const maxNames = 20;

function shorten(names: string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

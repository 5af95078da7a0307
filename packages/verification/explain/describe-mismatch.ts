// Why it does not match: Sourcify's sentence, then the differences and possible reasons.
import type { OutcomeCode } from '../terms/verification-outcome.ts';
import { readAuxdata } from './auxdata.ts';
import type { ComparedContract } from './compared-contract.ts';
import { describeDifference } from './describe-difference.ts';

export function describeMismatch(contract: ComparedContract): string {
  const { code, runtime, creation } = contract;
  const sentences = [headlines[code] ?? headlines.no_match!];
  if (code === 'compiled_bytecode_is_zero') return sentences[0]!;
  if (runtime.onchain !== null) sentences.push(`Runtime code: ${describeDifference(runtime)}`);
  else if (creation.onchain !== null) sentences.push(`Creation code: ${describeDifference(creation)}`);
  sentences.push(...describeCompiler(contract), ...describeMetadata(contract), ...describeLibraries(contract));
  sentences.push(`Compiled with ${contract.compilerVersion}, ${describeSettings(contract)}.`);
  return sentences.join(' ');
}

const headlines: Partial<Record<OutcomeCode, string>> = {
  no_match: "The deployed and recompiled bytecode don't match.",
  bytecode_length_mismatch: "The recompiled bytecode length doesn't match the onchain bytecode length.",
  extra_file_input_bug:
    "It seems your contract's metadata hashes match but not the bytecodes. If you are verifying via metadata.json, use the original full standard JSON input file that has all files including those not needed by this contract. See the issue for more information: https://github.com/argotorg/sourcify/issues/618",
  compiled_bytecode_is_zero: 'The compiled contract bytecode is "0x". Are you trying to verify an abstract contract?',
};

function describeCompiler({ runtime, compilerVersion }: ComparedContract): string[] {
  const named = runtime.onchain === null ? null : (readAuxdata(runtime.onchain)?.compiler ?? null);
  if (named === null || compilerVersion.startsWith(`${named.replace(/\+.*/, '')}+`)) return [];
  return [`The code on chain names the compiler ${named}, the record says ${compilerVersion}.`];
}

function describeMetadata({ runtime, code }: ComparedContract): string[] {
  if (runtime.onchain === null || code === 'extra_file_input_bug') return [];
  const onchain = readAuxdata(runtime.onchain);
  const compiled = readAuxdata(runtime.compiled);
  if (onchain === null && compiled !== null) return ['The code on chain carries no metadata, the compiled one does.'];
  if (onchain !== null && compiled === null) return ['The code on chain carries metadata, the compiled one none.'];
  if (onchain?.hash && compiled?.hash) {
    if (onchain.hash.kind !== compiled.hash.kind) {
      return [`The metadata hash on chain is of kind ${onchain.hash.kind}, the compiled one ${compiled.hash.kind}.`];
    }
    const isSame = onchain.hash.hex === compiled.hash.hex;
    return [
      isSame
        ? 'The metadata hashes are equal: sources and settings are the original ones, so something else went into the compilation (other files, or code changed after compiling).'
        : 'The metadata hashes differ too: sources or settings are not those it was compiled from.',
    ];
  }
  return [];
}

function describeLibraries({ openLibraries, libraries, runtime }: ComparedContract): string[] {
  const missing = openLibraries.filter((open) => {
    const name = open.split(':').at(-1);
    return !libraries.some((library) => library.name.split(':').at(-1) === name);
  });
  const sentences: string[] = [];
  if (missing.length > 0) sentences.push(`Libraries that the record gives no address for: ${missing.join(', ')}.`);
  for (const [open, onchain] of Object.entries(runtime.values.libraries ?? {})) {
    const name = open.split(':').at(-1);
    const claimed = libraries.find((library) => library.name.split(':').at(-1) === name)?.address;
    if (claimed !== undefined && claimed.toLowerCase() !== onchain.toLowerCase()) {
      sentences.push(`Library ${open}: ${onchain} on chain, ${claimed} in the record.`);
    }
  }
  return sentences;
}

function describeSettings({ settings }: ComparedContract): string {
  const { optimizer, viaIR, evmVersion, metadata } = settings;
  return [
    optimizer?.enabled ? `optimizer on (${optimizer.runs ?? 200} runs)` : 'optimizer off',
    ...(viaIR ? ['via IR'] : []),
    `EVM version ${evmVersion ?? "the compiler's default"}`,
    ...(metadata?.bytecodeHash ? [`metadata hash ${metadata.bytecodeHash}`] : []),
  ].join(', ');
}

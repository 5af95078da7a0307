// Libraries that the record names separately from the sources: compiler inputs that link them, likeliest first.
// Settings are part of the metadata, so only the form that was used originally gives the same metadata hash.
import type { CompilerInput, LinkedLibrary } from '../terms/source-claim.ts';

type LinkReferences = Record<string, Record<string, unknown>>;

export function toLinkedInputs(
  input: CompilerInput,
  libraries: readonly LinkedLibrary[],
  linkReferences: LinkReferences,
  targetPath: string,
): CompilerInput[] {
  const linked = libraries.flatMap((library) => {
    const name = library.name.split(':').at(-1)!;
    const files = Object.keys(linkReferences).filter((file) => Object.hasOwn(linkReferences[file]!, name));
    const file = files.find((one) => one === library.path) ?? files[0];
    return file === undefined ? [] : [{ file, name, address: library.address }];
  });
  if (linked.length === 0) return [];
  const forms = [
    linked,
    linked.map((library) => ({ ...library, file: targetPath })),
    linked.map((library) => ({ ...library, file: '' })),
  ];
  const inputs = forms.map((form) => withLibraries(input, form));
  return inputs.filter((one, index) => inputs.findIndex((other) => isSame(one, other)) === index);
}

function withLibraries(input: CompilerInput, form: { file: string; name: string; address: string }[]): CompilerInput {
  const libraries: Record<string, Record<string, string>> = { ...input.settings.libraries };
  for (const { file, name, address } of form) libraries[file] = { ...libraries[file], [name]: address };
  return { ...input, settings: { ...input.settings, libraries } };
}

function isSame(a: CompilerInput, b: CompilerInput): boolean {
  return JSON.stringify(a.settings.libraries) === JSON.stringify(b.settings.libraries);
}

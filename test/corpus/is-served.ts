// Which specifications ask for endpoints that are served here: those are run, the others only listed.

import { readSpecFile } from '../../packages/test-support/rows/spec-file.ts';
import { endpoints } from '../../src/http/resources/endpoints.ts';
import { unservedPaths } from '../../src/http/resources/unserved-paths.ts';

/** Whether no request of the file is for a path that is known but not served. */
export function isServed(folder: string, name: string): boolean {
  const { variants } = readSpecFile(folder, name);
  return variants.every(({ cases }) => cases.every(({ url }) => !isUnserved(url.split('?')[0]!)));
}

function isUnserved(path: string): boolean {
  if (endpoints.some((endpoint) => matches(endpoint.path, path, { fixed: true }))) return false;
  return unservedPaths.some((unserved) => unserved.method === 'GET' && matches(unserved.path, path));
}

/** `fixed`: a last word that is fixed counts more than a parameter in its place. */
function matches(template: string, path: string, { fixed = false } = {}): boolean {
  const expected = template.split('/');
  const steps = path.replace(/\/$/, '').split('/');
  if (expected.length !== steps.length) return false;
  const isMatch = expected.every((step, index) => step.startsWith('{') || step === steps[index]?.toLowerCase());
  if (!isMatch || !fixed) return isMatch;
  return !unservedPaths.some((other) => other.path.endsWith(`/${steps.at(-1)}`) && matches(other.path, path));
}

// The machine of a benchmark, for its report.
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import pg from 'pg';

export function describeMachine(): { cores: number; cpu: string; memoryGb: number; kernel: string } {
  const [first] = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return { cores: cpus().length, cpu: first?.model.trim() ?? 'unknown', memoryGb, kernel: release() };
}

/** Of the last minute. */
export function currentLoad(): number {
  return loadavg()[0]!;
}

/** Also says if files differ from the commit, or if there is no repository. */
export function describeCommit(folder: string): string {
  try {
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
    const commit = git('rev-parse', '--short=10', 'HEAD');
    return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit} with changes`;
  } catch {
    return 'unknown';
  }
}

export async function readPostgresVersion(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]!.server_version;
  } finally {
    await client.end();
  }
}

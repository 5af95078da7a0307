// The state of a running mirror's processes and of the databases that it reads from, read from its metrics.

type ServiceFinding = { found: string; problem: string | null };

/** null if no mirror answers. */
export async function examineService(host: string, port: number): Promise<ServiceFinding | null> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/metrics`;
  let text: string;
  try {
    text = await (await fetch(url, { signal: AbortSignal.timeout(5_000) })).text();
  } catch {
    return null;
  }
  if (!/^ledger_mirror_/m.test(text)) return null;
  const workers = readSeries(text, 'ledger_mirror_workers', 'state');
  const [wanted = 1, answering = 1] = [workers.get('wanted'), workers.get('answering')];
  const readers = readSeries(text, 'ledger_mirror_database_read', 'place');
  const answers = readSeries(text, 'ledger_mirror_database_answers', 'place');
  const ends = readSeries(text, 'ledger_mirror_database_newest_block_seconds', 'place');
  const newest = Math.max(...ends.values());
  const places = [...readers].map(([place, count]) => {
    if (answers.get(place) !== 1) return `${place} does not answer`;
    const behind = (newest - (ends.get(place) ?? newest)).toFixed(1);
    return `${place} is read by ${count}, ${behind} s behind`;
  });
  const lost = [...readers.keys()].filter((place) => answers.get(place) !== 1);
  const problem =
    answering < wanted
      ? `${answering} of ${wanted} workers answer`
      : lost.length > 0
        ? `${lost.join(', ')} ${lost.length === 1 ? 'does' : 'do'} not answer`
        : null;
  return { found: [`${answering} of ${wanted} processes answer`, ...places].join('; '), problem };
}

/** The values of a metric by one of its labels. */
function readSeries(text: string, metric: string, label: string): Map<string, number> {
  const lines = text.matchAll(new RegExp(`^${metric}\\{(?:.*,)?${label}="([^"]*)".*\\} (\\S+)$`, 'gm'));
  return new Map([...lines].map(([, name, value]) => [name!, Number(value)]));
}

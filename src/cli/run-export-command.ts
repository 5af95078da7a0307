import { formatBytes } from '../../packages/kit/format-bytes.ts';
import { explainEnd, openStoreBeside } from '../runtime/database/open-store.ts';
import { refuseUnfinishedBootstrap } from '../runtime/database/refuse-unfinished-bootstrap.ts';
import { readProgramVersion } from '../runtime/program-version.ts';
import { readFilePlaceAddress } from '../runtime/transfer/file-place-address.ts';
import { findNetworkName } from '../runtime/transfer/find-network-name.ts';
import { exportLedger } from '../transfer/export-ledger.ts';
import type { CommandContext } from './command.ts';
import { countText } from './describe-import.ts';
import { openProgressLine } from './progress-line.ts';
import { createExportProgressText } from './transfer-progress-text.ts';

export async function runExportCommand(context: CommandContext): Promise<0 | 1> {
  const { settings, log, shutdown, print } = context;
  const to = readFilePlaceAddress(settings.get('to'), '--to', settings);
  const store = await openStoreBeside({ settings, log, signal: shutdown.signal });
  const line = openProgressLine(context);
  const format = createExportProgressText();
  try {
    await refuseUnfinishedBootstrap(store.connectionString);
    const network = await findNetworkName(store.connectionString);
    const isNamed = network !== null && !settings.get('plain');
    if (!isNamed) {
      log.warn(
        `The export does not say the network's name${network === null ? '' : ` (--plain)`}: a mirror that begins with it is told --network ${network ?? '<name>'}.`,
      );
    }
    const summary = await exportLedger({
      connectionString: store.connectionString,
      to,
      version: readProgramVersion(),
      isState: settings.get('state'),
      isPlain: settings.get('plain'),
      signal: shutdown.signal,
      onProgress: (progress) => line.update(format(progress)),
    });
    line.end();
    if (!summary) {
      print('Stopped. The same command goes on.');
      return 1;
    }
    const { block, files, rows, sizeBytes, reused } = summary;
    const kept = reused === 0 ? '' : ` (${countText(reused, 'file')} from before it was interrupted)`;
    print(
      `Exported block ${block.number} and all before it: ${countText(files, 'file')}${kept} with ${countText(rows, 'row')}, ${formatBytes(sizeBytes)} compressed, in ${settings.get('to')}.${isNamed ? ` It is of the network ${network}.` : ''}`,
    );
    return 0;
  } catch (error) {
    throw await explainEnd(error as Error, store, settings);
  } finally {
    line.end();
    await store.close();
  }
}

// The page and its components, made on the first start and kept from then on; names follow the network's name and
// version.
import { createIdentifier } from './create-identifier.ts';
import type { FactName } from './signal-names.ts';
import { createStateEditor, type StateEditor } from './state-editor.ts';
import { type NetworkNames, type StatusComponent, statusComponents } from './status-components.ts';
import type { ComponentRecord, PageRecord, StatusState } from './status-state.ts';

export type StatusPageSettings = {
  /** e.g. `testnet` */
  networkName: string;
  /** e.g. `Hedera Testnet` */
  networkTitle: string;
  /** Public address of the page; null keeps the known one. */
  url: string | null;
};

/** The fact that carries the version of the network's software. */
export const versionFact: FactName = 'network.version';

/** Changes nothing if everything is up to date. */
export function setUpStatus(state: StatusState, settings: StatusPageSettings, now: number): StatusState {
  const editor = createStateEditor(state);
  setUpPage(editor, settings, now);
  const network: NetworkNames = {
    name: settings.networkName,
    title: settings.networkTitle,
    version: state.facts[versionFact] ?? null,
  };
  for (const [index, definition] of statusComponents.entries()) {
    setUpComponent(editor, definition, { network, position: index + 1, now });
  }
  return editor.state;
}

function setUpPage(editor: StateEditor, { networkName, networkTitle, url }: StatusPageSettings, now: number): void {
  const before = editor.state.page.page;
  const name = `Ledger Mirror – ${networkTitle}`;
  const page: PageRecord = {
    id: before?.id ?? createIdentifier(`page/${networkName}`),
    name,
    url: url ?? before?.url ?? 'http://127.0.0.1/status',
    timeZone: 'Etc/UTC',
    networkTitle,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  const isSame = before && before.name === page.name && before.url === page.url && before.networkTitle === networkTitle;
  if (!isSame) editor.put('page', 'page', page);
}

type Place = { network: NetworkNames; position: number; now: number };

function setUpComponent(editor: StateEditor, definition: StatusComponent, { network, position, now }: Place): void {
  const { key, group, needs, optional, remark = '' } = definition;
  const before = editor.state.components[key];
  if (!before && optional && !needs.some((signal) => signal in editor.state.readings)) return;
  const name = definition.name(network);
  const description = [definition.description, editor.state.facts[remark]].filter(Boolean).join(' ');
  if (before && before.name === name && before.position === position && before.description === description) return;
  const isGroup = needs.length === 0;
  const fresh: Omit<ComponentRecord, 'name' | 'description' | 'position' | 'updatedAt'> = {
    id: createIdentifier(`component/${network.name}/${key}`),
    key,
    group: isGroup,
    groupId: group === null ? null : editor.state.components[group]!.id,
    // Never operational before a first signal.
    status: 'degraded_performance',
    measured: 'degraded_performance',
    reason: isGroup ? null : 'no data about it yet',
    unknown: !isGroup,
    override: null,
    troubleMs: { degraded: 0, outage: 0 },
    troubleSince: null,
    createdAt: now,
  };
  editor.put('components', key, {
    ...fresh,
    ...before,
    name,
    description,
    position,
    updatedAt: now,
  });
}

// The page and its components, made on the first start and kept from then on; names follow the network's name and
// version.
import { createIdentifier } from './create-identifier.ts';
import type { FactName } from './signal-names.ts';
import { createStateEditor, type StateEditor } from './state-editor.ts';
import { type NetworkNames, networkTitleOf, type StatusComponent, statusComponents } from './status-components.ts';
import type { ComponentRecord, PageRecord, StatusState } from './status-state.ts';

export type StatusPageSettings = {
  /** e.g. `testnet`; null = what the reports say. */
  networkName: string | null;
  /** e.g. `Hedera Testnet`; null = that of the name. */
  networkTitle: string | null;
  /** Public address of the page; null keeps the known one. */
  url: string | null;
};

/** The facts that carry the version of the network's software, and its name. */
export const versionFact: FactName = 'network.version';
export const networkFact: FactName = 'network.name';

/** Address of the page until one is known. */
const unknownPageUrl = 'http://127.0.0.1/status';

export function hasPageUrl({ page }: StatusState): boolean {
  return page.page !== undefined && page.page.url !== unknownPageUrl;
}

/** Changes nothing if everything is up to date. */
export function setUpStatus(state: StatusState, settings: StatusPageSettings, now: number): StatusState {
  const editor = createStateEditor(state);
  const name = settings.networkName ?? state.facts[networkFact] ?? unnamed;
  const network: NetworkNames = {
    name,
    title: settings.networkTitle ?? networkTitleOf(name),
    version: state.facts[versionFact] ?? null,
  };
  setUpPage(editor, network, settings.url, now);
  for (const [index, definition] of statusComponents.entries()) {
    setUpComponent(editor, definition, { network, position: index + 1, now });
  }
  return editor.state;
}

/** Name of a network that nothing names. */
const unnamed = 'other';

function setUpPage(editor: StateEditor, network: NetworkNames, url: string | null, now: number): void {
  const before = editor.state.page.page;
  const { title: networkTitle } = network;
  const name = `Ledger Mirror – ${networkTitle}`;
  const page: PageRecord = {
    id: before?.id ?? createIdentifier(`page/${network.name}`),
    name,
    url: url ?? before?.url ?? unknownPageUrl,
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

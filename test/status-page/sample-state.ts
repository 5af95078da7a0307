// A status summary in the middle of its life, as plain records: several components with good and bad days, incidents
// and maintenances of every kind. Texts can be replaced by anything, to see what pages make of it.
import { statusComponents } from '../../packages/status/status-components.ts';
import {
  type ChartPoint,
  type ComponentRecord,
  type ComponentStatus,
  type DayRecord,
  emptyState,
  type IncidentRecord,
  type IncidentUpdate,
  type StatusState,
} from '../../packages/status/status-state.ts';

/** 2026-11-21 12:00 UTC */
export const sampleNow = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Texts = { text(usual: string): string };

export function sampleState({ text }: Texts = { text: (usual) => usual }): StatusState {
  const components = sampleComponents(text);
  const byKey = Object.fromEntries(components.map((component) => [component.key, component]));
  const incidents = sampleIncidents(text, byKey);
  const days = components.filter(({ group }) => !group).flatMap(sampleDays);
  const points = Array.from({ length: 288 }, (_, index) => samplePoint(index));
  return {
    ...emptyState(),
    page: {
      page: {
        id: 'kctbh9vrtdwd',
        name: text('Ledger Mirror – Hedera Testnet'),
        url: 'http://127.0.0.1:5551/status',
        timeZone: 'Etc/UTC',
        networkTitle: text('Hedera Testnet'),
        createdAt: sampleNow - 80 * day,
        updatedAt: sampleNow,
      },
    },
    components: byKey,
    incidents: Object.fromEntries(incidents.map((incident) => [incident.id, incident])),
    days: Object.fromEntries(days.map((record) => [`${record.date}/${record.componentId}`, record])),
    points: Object.fromEntries(points.map((point) => [String(point.at), point])),
    readings: Object.fromEntries(
      statusComponents.flatMap(({ needs }) => needs).map((signal) => [signal, { at: sampleNow - 4000, value: 0 }]),
    ),
  };
}

function sampleComponent(part: Partial<ComponentRecord> & { key: string; position: number }): ComponentRecord {
  const status = part.status ?? 'operational';
  return {
    id: `c${part.key.padEnd(11, 'x').slice(0, 11)}`,
    name: part.key,
    description: null,
    group: false,
    groupId: null,
    status,
    measured: status,
    reason: null,
    unknown: false,
    override: null,
    troubleMs: { degraded: 0, outage: 0 },
    troubleSince: null,
    createdAt: sampleNow - 80 * day,
    updatedAt: sampleNow,
    ...part,
  };
}

export function sampleIncident(part: Partial<IncidentRecord> & { id: string; startedAt: number }): IncidentRecord {
  return {
    kind: 'incident',
    name: 'Something happened',
    status: 'resolved',
    impact: 'minor',
    createdAt: part.startedAt,
    updatedAt: part.resolvedAt ?? part.startedAt,
    monitoringAt: null,
    resolvedAt: null,
    componentIds: [],
    updates: [],
    scheduledFor: null,
    scheduledUntil: null,
    cause: null,
    heldBy: null,
    cleanMs: 0,
    ...part,
  };
}

export function sampleUpdate(part: Partial<IncidentUpdate> & { id: string; createdAt: number }): IncidentUpdate {
  return {
    status: 'investigating',
    body: '',
    updatedAt: part.createdAt,
    displayAt: part.createdAt,
    affectedComponents: null,
    by: 'automatic',
    ...part,
  };
}

function sampleComponents(text: Texts['text']): ComponentRecord[] {
  const group = sampleComponent({
    key: 'mirror',
    position: 1,
    group: true,
    name: text('Ledger Mirror'),
    status: 'major_outage',
  });
  const child = (key: string, position: number, name: string, part: Partial<ComponentRecord> = {}) =>
    sampleComponent({ key, position, groupId: group.id, name: text(name), ...part });
  return [
    group,
    child('api', 2, 'Mirror Node REST API Testnet', {
      status: 'degraded_performance',
      description: text('Answers to queries about tokens, accounts, contracts and schedules'),
      reason: text('95 % of the answers took up to 2.4 s; more than 2 s is degraded'),
    }),
    child('import', 3, 'Record stream import', {
      status: 'partial_outage',
      reason: text('The newest block is 3 min old'),
    }),
    child('continuity', 4, 'Stream continuity'),
    child('database', 5, 'Database', { status: 'major_outage', reason: text('It has not answered for 40 s') }),
    child('verification', 6, 'Contract verification', { status: 'under_maintenance' }),
    sampleComponent({
      key: 'network',
      position: 7,
      name: text('Hedera Testnet (v0.77.1) | Network Uptime'),
      status: 'degraded_performance',
      unknown: true,
    }),
  ];
}

function sampleIncidents(text: Texts['text'], components: Record<string, ComponentRecord>): IncidentRecord[] {
  const database = components.database!;
  const changed = (oldStatus: ComponentStatus, newStatus: ComponentStatus) => [
    { code: database.id, name: text('Ledger Mirror - Database'), oldStatus, newStatus },
  ];
  return [
    sampleIncident({
      id: 'h2jk5l7mnp9q',
      name: text('The database does not answer'),
      status: 'identified',
      impact: 'critical',
      startedAt: sampleNow - 50 * minute,
      updatedAt: sampleNow - 10 * minute,
      componentIds: [database.id, components.api!.id],
      updates: [
        sampleUpdate({
          id: 'upd000000003',
          status: 'identified',
          createdAt: sampleNow - 10 * minute,
          body: text('A disk is full. Room is being made.\n\nQueries are answered again within minutes.'),
          affectedComponents: changed('partial_outage', 'major_outage'),
          by: 'maria',
        }),
        sampleUpdate({
          id: 'upd000000002',
          createdAt: sampleNow - 50 * minute,
          body: text('Database: writes fail.'),
          affectedComponents: changed('operational', 'partial_outage'),
        }),
      ],
    }),
    sampleIncident({
      id: 'w3xz4b6cd8fg',
      kind: 'maintenance',
      name: text('New compilers for contract verification'),
      status: 'in_progress',
      impact: 'maintenance',
      startedAt: sampleNow - hour,
      createdAt: sampleNow - 3 * day,
      scheduledFor: sampleNow - hour,
      scheduledUntil: sampleNow + hour,
      componentIds: [components.verification!.id],
      updates: [
        sampleUpdate({
          id: 'upd000000005',
          status: 'in_progress',
          createdAt: sampleNow - hour,
          body: text('It has begun.'),
        }),
      ],
    }),
    sampleIncident({
      id: 'm5np6q7rs8tv',
      kind: 'maintenance',
      name: text('Larger disks'),
      status: 'scheduled',
      impact: 'maintenance',
      startedAt: sampleNow + 3 * day,
      createdAt: sampleNow - day,
      updatedAt: sampleNow - day,
      scheduledFor: sampleNow + 3 * day,
      scheduledUntil: sampleNow + 3 * day + 2 * hour,
      componentIds: [database.id],
      updates: [
        sampleUpdate({
          id: 'upd000000006',
          status: 'scheduled',
          createdAt: sampleNow - day,
          body: text('No answers for some minutes.'),
        }),
      ],
    }),
    ...[4, 24, 40].map((age, index) =>
      sampleIncident({
        id: `r${index}sd7gh9jk2l`,
        name: text('Import is behind'),
        startedAt: sampleNow - age * day,
        resolvedAt: sampleNow - age * day + 33 * minute,
        componentIds: [components.import!.id],
        updates: [
          sampleUpdate({
            id: `upr00000000${index}`,
            status: 'resolved',
            createdAt: sampleNow - age * day + 33 * minute,
            body: text('The import has caught up.'),
          }),
        ],
      }),
    ),
  ];
}

/** Eighty days, each component with other bad ones. */
function sampleDays({ id, position }: ComponentRecord): DayRecord[] {
  return Array.from({ length: 80 }, (_, age) => {
    const seconds = {
      operational: 0,
      under_maintenance: 0,
      degraded_performance: 0,
      partial_outage: 0,
      major_outage: 0,
      no_data: 0,
    };
    const whole = age === 0 ? 12 * 3600 : 86_400;
    const kind = (['degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance', 'no_data'] as const)[
      (age + position) % 17
    ];
    if (kind) seconds[kind] = kind === 'no_data' && age > 0 ? whole : 1260 + 60 * position;
    seconds.operational = whole - (kind ? seconds[kind] : 0);
    return { componentId: id, date: new Date(sampleNow - age * day).toISOString().slice(0, 10), seconds };
  });
}

function samplePoint(index: number): ChartPoint {
  const at = sampleNow - (288 - index) * 5 * minute;
  if (index > 100 && index < 120) return { at, lagMs: null, p95Ms: null, errorShare: null };
  const swing = 1 + Math.sin(index / 9) / 2;
  return { at, lagMs: 2600 * swing, p95Ms: (index > 270 ? 2000 : 40) * swing, errorShare: index === 280 ? 0.02 : 0 };
}

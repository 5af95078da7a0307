// Reads bodies of the Statuspage v2 endpoints as the strictest clients do: every member in its order, of its type and
// with one of its values; any other member is refused.

type Check = (value: unknown, place: string) => void;

const fail = (place: string, wanted: string, value: unknown): never => {
  throw new Error(`${place}: wanted ${wanted}, found ${JSON.stringify(value)}`);
};

const matches =
  (pattern: RegExp): Check =>
  (value, place) => {
    if (typeof value !== 'string' || !pattern.test(value)) fail(place, String(pattern), value);
  };
const oneOf =
  (...values: unknown[]): Check =>
  (value, place) => {
    if (!values.includes(value)) fail(place, `one of ${values.join(', ')}`, value);
  };
const orNull =
  (check: Check): Check =>
  (value, place) => {
    if (value !== null) check(value, place);
  };
const list =
  (check: Check): Check =>
  (value, place) => {
    if (!Array.isArray(value)) return fail(place, 'an array', value);
    value.forEach((each, index) => {
      check(each, `${place}[${index}]`);
    });
  };
const object =
  (members: Record<string, Check>): Check =>
  (value, place) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return fail(place, 'an object', value);
    const [wanted, found] = [Object.keys(members).join(), Object.keys(value).join()];
    if (wanted !== found) fail(place, wanted, found);
    for (const [name, check] of Object.entries(members))
      check((value as Record<string, unknown>)[name], `${place}.${name}`);
  };

const id = matches(/^[0-9b-df-hj-np-tv-z]{12}$/);
const text = matches(/./s);
const time = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const url = matches(/^https?:\/\/\S+$/);
const truth = oneOf(true, false);
const position: Check = (value, place) => {
  if (!Number.isInteger(value) || (value as number) < 1) fail(place, 'a whole number from 1', value);
};

const componentStatus = oneOf(
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'under_maintenance',
);
const impact = oneOf('none', 'minor', 'major', 'critical', 'maintenance');

const componentMembers: Record<string, Check> = {
  id,
  name: text,
  status: componentStatus,
  created_at: time,
  updated_at: time,
  position,
  description: orNull(text),
  showcase: truth,
  start_date: orNull(time),
  group_id: orNull(id),
  page_id: id,
  group: truth,
  only_show_if_degraded: truth,
};
const component: Check = (value, place) => {
  const isGroup = (value as { group?: unknown } | null)?.group === true;
  object(isGroup ? { ...componentMembers, group_id: oneOf(null), components: list(id) } : componentMembers)(
    value,
    place,
  );
};

const updateOf = (statuses: Check): Check =>
  object({
    id,
    status: statuses,
    body: text,
    incident_id: id,
    created_at: time,
    updated_at: time,
    display_at: time,
    affected_components: orNull(
      list(object({ code: id, name: text, old_status: componentStatus, new_status: componentStatus })),
    ),
    deliver_notifications: truth,
    custom_tweet: oneOf(null),
    tweet_id: oneOf(null),
  });
const incidentOf = (statuses: Check, further: Record<string, Check>): Check =>
  object({
    id,
    name: text,
    status: statuses,
    created_at: time,
    updated_at: time,
    monitoring_at: orNull(time),
    resolved_at: orNull(time),
    impact,
    shortlink: url,
    started_at: time,
    page_id: id,
    incident_updates: list(updateOf(statuses)),
    components: list(component),
    reminder_intervals: oneOf(null),
    ...further,
  });
const incident = incidentOf(oneOf('investigating', 'identified', 'monitoring', 'resolved', 'postmortem'), {});
const maintenance = incidentOf(oneOf('scheduled', 'in_progress', 'verifying', 'completed'), {
  scheduled_for: time,
  scheduled_until: time,
});

const page = object({ id, name: text, url, time_zone: oneOf('Etc/UTC'), updated_at: time });
const status = object({
  indicator: oneOf('none', 'minor', 'major', 'critical', 'maintenance'),
  description: oneOf(
    'All Systems Operational',
    'Partially Degraded Service',
    'Degraded System Service',
    'Minor Service Outage',
    'Partial System Outage',
    'Major System Outage',
    'Service Under Maintenance',
  ),
});

/** By path. */
const bodies: Record<string, Check> = {
  summary: object({
    page,
    components: list(component),
    incidents: list(incident),
    scheduled_maintenances: list(maintenance),
    status,
  }),
  status: object({ page, status }),
  components: object({ page, components: list(component) }),
  incidents: object({ page, incidents: list(incident) }),
  'incidents/unresolved': object({ page, incidents: list(incident) }),
  'scheduled-maintenances': object({ page, scheduled_maintenances: list(maintenance) }),
  'scheduled-maintenances/upcoming': object({ page, scheduled_maintenances: list(maintenance) }),
  'scheduled-maintenances/active': object({ page, scheduled_maintenances: list(maintenance) }),
};

export const statusPaths = Object.keys(bodies);

/** Throws with the path and the fault; duplicate ids in a list are faults, too. */
export function assertStatusBody(path: string, body: unknown): void {
  bodies[path]!(body, path);
  for (const [name, records] of Object.entries(body as Record<string, unknown>)) {
    if (!Array.isArray(records)) continue;
    const ids = records.map((record: { id: string }) => record.id);
    if (new Set(ids).size !== ids.length) fail(`${path}.${name}`, 'ids that stand once', ids);
  }
}

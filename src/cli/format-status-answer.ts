// Answers of the status service as readable lines; other answers are printed as JSON.

type Fields = Record<string, unknown>;

export function formatStatusAnswer(body: unknown): string[] {
  if (Array.isArray(body))
    return body.length === 0 ? ['There is none.'] : body.flatMap((each) => formatRecord(each as Fields));
  const record = body as Fields;
  return 'page' in record ? formatSummary(record) : formatRecord(record);
}

function formatSummary({ status, components, incidents, scheduled_maintenances: maintenances }: Fields): string[] {
  const { description } = status as { description: string };
  return [
    description,
    ...(components as Fields[]).flatMap((component) => [
      `  ${formatComponent(component)}`,
      ...(isExplained(component) ? [`  ${' '.repeat(12)} ${component.description}`] : []),
    ]),
    ...[...(incidents as Fields[]), ...(maintenances as Fields[])].flatMap(formatRecord),
  ];
}

/** What it is, and what is known of it, matters where something is wrong. */
function isExplained({ status, group, description }: Fields): boolean {
  return status !== 'operational' && group === false && Boolean(description);
}

function formatRecord(record: Fields): string[] {
  if ('incident_updates' in record) return formatIncident(record);
  if ('group_id' in record) return [formatComponent(record)];
  if ('number' in record) return [formatChange(record)];
  if ('url' in record) return formatWebhook(record);
  if ('heardAt' in record) return [formatReporter(record)];
  return [JSON.stringify(record, null, 2)];
}

function formatComponent({ key, id, name, status, reason, said_by: saidBy }: Fields): string {
  const notes = [saidBy ? `said by ${saidBy}` : '', reason ? String(reason) : ''].filter(Boolean).join('; ');
  return `${String(key ?? id).padEnd(12)} ${String(status).padEnd(20)} ${name}${notes ? ` (${notes})` : ''}`;
}

function formatIncident(incident: Fields): string[] {
  const { id, name, status, impact, scheduled_for: from, scheduled_until: until, held_by: heldBy } = incident;
  const updates = incident.incident_updates as Fields[];
  return [
    `${id} ${name}: ${status}, impact ${impact}${from ? `, ${from} to ${until}` : ''}${heldBy ? `, held by ${heldBy}` : ''}`,
    ...updates.map(({ display_at: at, status, body }) => `  ${at} ${status}: ${String(body).replaceAll('\n', ' ')}`),
  ];
}

function formatWebhook({ id, url, secret, componentIds, endedAt, waiting, lastAttempt }: Fields): string[] {
  const { outcome, reason } = (lastAttempt ?? {}) as Fields;
  const notes = [
    componentIds ? `hears of ${(componentIds as string[]).join(', ')}` : '',
    endedAt ? 'ended by its receiver (410 Gone)' : '',
    waiting ? `${waiting} messages wait` : '',
    outcome ? `last attempt: ${reason ?? outcome}` : '',
  ].filter(Boolean);
  return [
    `${id} ${url}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`,
    ...(secret ? [`  secret, shown this once: ${secret}`] : []),
  ];
}

function formatReporter({ name, kind, heardAt, isLost }: Fields): string {
  const time = new Date(heardAt as number).toISOString();
  return `${name} (${kind}) ${isLost ? 'lost, last heard' : 'heard'} ${time}`;
}

function formatChange({ number, at, by, what, id, name, old, new: now }: Fields): string {
  const time = new Date(at as number).toISOString();
  return `${number} ${time} ${by}: ${what} ${id} "${name}": ${JSON.stringify(old)} → ${JSON.stringify(now)}`;
}

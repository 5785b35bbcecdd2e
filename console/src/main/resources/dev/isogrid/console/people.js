// Connections of clients, users, roles, and what the user of the console may do.
import { useContext, useState } from './hooks.js';
import { html } from './html.js';
import { change, json } from './rest.js';
import { perSecond } from './metrics.js';
import { Bar, Confirm, Failure, Field, Head, Plot, Session, Table, attempt, bytes, count, duration, rate,
  useHistory, useLive, useRights } from './ui.js';
import { useMetrics, useSample } from './overview.js';

/** Connections that are shown; others are found by what they have. */
const SHOWN_MAX = 200;

/** Java writes a slash before addresses that were not looked up by a name. */
function addressOf(row, end) {
  return row[`${end}-address`].replace(/^\//, '');
}

function Clients() {
  const live = useLive(() => json('server/connections'), [], 3000);
  const [wanted, setWanted] = useState('');
  const [asked, setAsked] = useState(null);
  const textOf = (row) =>
    [row['remote-address'], row.principal, row['protocol-version'], row['ssl-protocol']].join(' ').toLowerCase();
  const fitting = (live.value ?? []).filter((row) => textOf(row).includes(wanted.toLowerCase()));
  const close = (row) => attempt(() => change('DELETE', `server/connections/${row.id}`),
    'Closed the connection.').then(live.refresh);
  return html`
    <h3>Clients</h3>
    <${Failure} error=${live.error} />
    <${Field} label="Show connections with" value=${wanted} onChange=${setWanted} kind="search"
      hint="An address, a user or a protocol." />
    <${Table} caption="Connections of clients" rows=${fitting.slice(0, SHOWN_MAX)} id=${(row) => row.id}
      empty=${live.value ? 'There is no such connection.' : 'Loading …'}
      columns=${[
        { name: 'From', cell: (row) => addressOf(row, 'remote') },
        { name: 'To', cell: (row) => addressOf(row, 'local') },
        { name: 'Protocol', cell: (row) => row['protocol-version'] },
        { name: 'User', cell: (row) => row.principal ?? '–' },
        { name: 'TLS', cell: (row) => row['ssl-protocol'] ?? '–' },
        { name: 'For', number: true,
          cell: (row) => duration(Math.max(0, (Date.now() - Date.parse(row.created)) / 1000)) },
        { name: 'Close', cell: (row) => html`
          <button class="danger" aria-label="Close the connection from ${addressOf(row, 'remote')}"
            onClick=${() => setAsked(row)}>Close</button>` },
      ]} />
    ${fitting.length > SHOWN_MAX && html`
      <p class="note">These are ${count(SHOWN_MAX)} of ${count(fitting.length)} connections.</p>`}
    ${asked && html`
      <${Confirm} title="Close the connection" action="Close the connection"
        text="This closes the connection from ${addressOf(asked, 'remote')}. Its client may open another one."
        onYes=${() => close(asked)} onClose=${() => setAsked(null)} />`}`;
}

function Connections() {
  const metrics = useMetrics();
  const { now, before } = metrics.value ?? {};
  const { can } = useRights();
  const sum = (name) => now?.sum(name);
  const history = useHistory('people.connections',
    useSample(metrics.value, () => [now.sum('isogrid_connections')]));
  const opened = useHistory('people.opened', useSample(before && metrics.value, () =>
    ['opened', 'refused'].map((what) => perSecond(before, now, `isogrid_connections_${what}_total`))));
  return html`
    <section class="card" aria-labelledby="connections">
      <h2 id="connections">Connections to this node</h2>
      <${Failure} error=${metrics.error} />
      <${Bar} label="Connections" used=${sum('isogrid_connections')}
        max=${sum('isogrid_connections_max')} form=${count} isLimit=${true} />
      <${Bar} label="Unfinished requests" used=${sum('isogrid_requests_unfinished_bytes')}
        max=${sum('isogrid_requests_unfinished_max_bytes')} form=${bytes} isLimit=${true} />
      <div class="plots">
        <${Plot} title="Connections" history=${history} names=${['open']} form=${count} />
        <${Plot} title="New connections per second" history=${opened} names=${['opened', 'refused']}
          form=${rate} />
      </div>
      <dl class="facts">
        <dt>Opened</dt><dd>${count(sum('isogrid_connections_opened_total'))}</dd>
        <dt>Refused</dt><dd>${count(sum('isogrid_connections_refused_total'))}</dd>
        <dt>Failed logins</dt><dd>${count(sum('isogrid_logins_failed_total'))}</dd>
        <dt>Requests without permission</dt><dd>${count(sum('isogrid_requests_denied_total'))}</dd>
        <dt>Received</dt><dd>${bytes(sum('isogrid_read_bytes_total'))}</dd>
        <dt>Sent</dt><dd>${bytes(sum('isogrid_written_bytes_total'))}</dd>
      </dl>
      ${can('ADMIN') && html`<${Clients} />`}
    </section>`;
}

function Users() {
  const users = useLive(() => json('security/principals?action=detailed'), [], 10_000);
  const roles = useLive(() => json('security/roles?action=detailed'), [], 10_000);
  return html`
    <section class="card" aria-labelledby="users">
      <h2 id="users">Users of this node</h2>
      <${Failure} error=${users.error || roles.error} />
      <${Table} caption="Users" rows=${users.value ?? []} id=${(row) => row.name}
        empty=${users.value ? 'There is no user: nobody has to log in.' : 'Loading …'}
        columns=${[
          { name: 'User', cell: (row) => row.name },
          { name: 'Roles', cell: (row) => row.roles.join(', ') || '–' },
        ]} />
      <h3>Roles</h3>
      <${Table} caption="Roles" rows=${Object.entries(roles.value ?? {})} id=${(row) => row[0]}
        empty=${roles.value ? 'There is no role.' : 'Loading …'}
        columns=${[
          { name: 'Role', cell: ([name]) => name },
          { name: 'Permissions', cell: ([, role]) => role.permissions.join(', ') },
        ]} />
      <p class="note">Users are changed by <code>isogrid user</code> on each server.</p>
    </section>`;
}

function Own() {
  const { acl } = useContext(Session);
  const name = acl.subject?.[0]?.name;
  return html`
    <section class="card" aria-labelledby="own">
      <h2 id="own">You</h2>
      <dl class="facts">
        <dt>User</dt><dd>${name ?? 'Nobody has to log in.'}</dd>
        <dt>Permissions</dt><dd>${acl.global.join(', ') || 'none'}</dd>
      </dl>
    </section>`;
}

export function People() {
  const { can } = useRights();
  return html`
    <${Head} title="Connections and users" />
    ${can('MONITOR') && html`<${Connections} />`}
    ${can('ADMIN') && html`<${Users} />`}
    <${Own} />`;
}

// Connections of clients, users, roles, and what the user of the console may do.
import { useContext } from './hooks.js';
import { html } from './html.js';
import { json } from './rest.js';
import { perSecond } from './metrics.js';
import { Bar, Failure, Head, Plot, Session, Table, bytes, count, rate, useHistory, useLive, useRights }
  from './ui.js';
import { useMetrics, useSample } from './overview.js';

function Connections() {
  const metrics = useMetrics();
  const { now, before } = metrics.value ?? {};
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

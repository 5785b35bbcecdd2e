// Tasks that can be run, and map/reduces that run.
import { useState } from './hooks.js';
import { html } from './html.js';
import { firstText, json, path, request } from './rest.js';
import { Bar, Dialog, Failure, Field, Head, Table, count, duration, own, useLive, useRights }
  from './ui.js';

/** A task may take an hour on the server; a person does not wait longer here. */
const WAIT_MILLIS = 600_000;
const SHOWN_MAX = 100_000;

function Run({ task, onClose }) {
  const [cache, setCache] = useState('');
  const [values, setValues] = useState({});
  const [state, setState] = useState({ isBusy: false, result: null, error: null });
  const submit = async (event) => {
    event.preventDefault();
    setState({ isBusy: true, result: null, error: null });
    const more = (cache ? '&cache=' + encodeURIComponent(cache) : '')
      + Object.entries(values).filter(([, value]) => value !== '').map(([name, value]) =>
        `&param.${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('');
    try {
      const answer = await request(path('tasks', task.name, 'exec', more),
        { method: 'POST', signal: AbortSignal.timeout(WAIT_MILLIS) });
      setState({ isBusy: false, result: await firstText(answer, SHOWN_MAX), error: null });
    } catch (error) {
      setState({ isBusy: false, result: null, error });
    }
  };
  return html`
    <${Dialog} title="Run ${task.name}" onClose=${onClose} wide=${true}>
      <form onSubmit=${submit}>
        <${Field} label="Cache" value=${cache} onChange=${setCache}
          hint="Name of the cache that the task works on, if it needs one." />
        ${task.parameters.map((name) => html`
          <${Field} key=${name} label=${name} value=${own(values, name) ?? ''}
            onChange=${(value) => setValues({ ...values, [name]: value })} />`)}
        <${Failure} error=${state.error} />
        ${state.result !== null && html`
          <h3>Result</h3><pre tabindex="0" role="region" aria-label="Result">${state.result || '(empty)'}</pre>`}
        <p role="status">${state.isBusy ? 'Running …' : ''}</p>
        <div class="buttons">
          <button type="button" onClick=${onClose}>Close</button>
          <button class="primary" disabled=${state.isBusy}>Run</button>
        </div>
      </form>
    <//>`;
}

function MapReduces() {
  const live = useLive(() => json('mapreduce'), []);
  const rows = [...(live.value ?? [])].sort((one, other) => other.started_millis - one.started_millis);
  return html`
    <h2>Map/reduces that this node started</h2>
    <${Failure} error=${live.error} />
    <${Table} caption="Map/reduces" rows=${rows} id=${(row) => row.id}
      empty=${live.value ? 'There is none.' : 'Loading …'}
      columns=${[
        { name: 'Number', cell: (row) => row.id },
        { name: 'Cache', cell: (row) => row.cache },
        { name: 'State', cell: (row) => row.state.toLowerCase() + (row.failure ? `: ${row.failure}` : '') },
        { name: 'Segments', cell: (row) => html`
          <${Bar} label="done" used=${row.segments_done} max=${row.segments_total} form=${count} />` },
        { name: 'Map', number: true, cell: (row) => duration(row.map_millis / 1000) },
        { name: 'Reduce', number: true, cell: (row) => duration(row.reduce_millis / 1000) },
        { name: 'Entries', number: true,
          cell: (row) => count(row.nodes.reduce((sum, node) => sum + node.entries, 0)) },
      ]} />`;
}

export function Tasks() {
  const { can } = useRights();
  const list = useLive(() => json('tasks'), [], 10_000);
  const [opened, setOpened] = useState(null);
  return html`
    <${Head} title="Tasks" />
    <${Failure} error=${list.error} />
    <${Table} caption="Tasks" rows=${list.value ?? []} id=${(row) => row.name}
      empty=${list.value ? 'There is no task.' : 'Loading …'}
      columns=${[
        { name: 'Name', cell: (row) => row.name },
        { name: 'Parameters', cell: (row) => row.parameters.join(', ') || '–' },
        { name: 'Runs', cell: (row) => row.execution_mode.toLowerCase().replaceAll('_', ' ') },
        { name: 'Role', cell: (row) => row.allowed_role ?? '–' },
        ...(can('EXEC') ? [{ name: 'Run', cell: (row) => html`
          <button aria-label="Run ${row.name}" onClick=${() => setOpened(row)}>Run</button>` }] : []),
      ]} />
    ${can('MONITOR') && html`<${MapReduces} />`}
    ${opened && html`<${Run} task=${opened} onClose=${() => setOpened(null)} />`}`;
}

// Counters of the cluster.
import { useState } from './hooks.js';
import { html } from './html.js';
import { change, json, path, text } from './rest.js';
import { Confirm, Dialog, Failure, Field, Head, Table, attempt, count, say, useLive, useRights }
  from './ui.js';

/** Counters whose values are asked for; others show theirs when they are filtered. */
const SHOWN_MAX = 50;

function Create({ onClose, onDone }) {
  const [form, setForm] = useState({
    name: '', kind: 'strong-counter', initial: '0', lower: '', upper: '', storage: 'VOLATILE',
  });
  const field = (name) => ({ value: form[name], onChange: (value) => setForm({ ...form, [name]: value }) });
  const [error, setError] = useState(null);
  const submit = async (event) => {
    event.preventDefault();
    const attributes = { 'initial-value': form.initial, storage: form.storage };
    if (form.kind === 'strong-counter') {
      if (form.lower !== '') attributes['lower-bound'] = form.lower;
      if (form.upper !== '') attributes['upper-bound'] = form.upper;
    }
    try {
      const body = JSON.stringify({ [form.kind]: attributes });
      await change('POST', path('counters', form.name), body, { 'Content-Type': 'application/json' });
      say(`Created the counter ${form.name}.`);
      onDone();
    } catch (failure) {
      setError(failure.status === 304 ? new Error('There is a counter of this name already.') : failure);
    }
  };
  return html`
    <${Dialog} title="Create a counter" onClose=${onClose}>
      <form onSubmit=${submit}>
        <${Field} label="Name" required ...${field('name')} />
        <${Field} label="Kind" ...${field('kind')}>
          <option value="strong-counter">strong: each step tells the value</option>
          <option value="weak-counter">weak: fast with many writers</option>
        <//>
        <${Field} label="Initial value" kind="number" required ...${field('initial')} />
        ${form.kind === 'strong-counter' && html`
          <${Field} label="Lower bound" kind="number" hint="Empty for none." ...${field('lower')} />
          <${Field} label="Upper bound" kind="number" hint="Empty for none." ...${field('upper')} />`}
        <${Field} label="After a stop of all servers" ...${field('storage')}>
          <option value="VOLATILE">it is gone</option>
          <option value="PERSISTENT">it is kept</option>
        <//>
        <${Failure} error=${error} />
        <div class="buttons">
          <button type="button" onClick=${onClose}>Cancel</button>
          <button class="primary">Create</button>
        </div>
      </form>
    <//>`;
}

async function valuesOf(names) {
  return Object.fromEntries(await Promise.all(names.map(async (name) => {
    try {
      return [name, Number(await text(path('counters', name)))];
    } catch (failure) {
      if (failure.status === 404) return [name, NaN]; // removed meanwhile
      throw failure;
    }
  })));
}

export function Counters() {
  const { can } = useRights();
  const list = useLive(() => json('counters'), [], 5000);
  const [wanted, setWanted] = useState('');
  const [isNew, setNew] = useState(false);
  const [removed, setRemoved] = useState(null);
  const all = (list.value ?? []).filter((name) => name.includes(wanted));
  const names = all.slice(0, SHOWN_MAX);
  const values = useLive(can('READ') && names.length > 0 ? () => valuesOf(names) : null,
    [names.join('\n')]);
  const act = (name, action) => attempt(
    () => change('POST', path('counters', name, action))).then(values.refresh);
  return html`
    <${Head} title="Counters">
      ${can('CREATE') && html`
        <button class="primary" onClick=${() => setNew(true)}>Create a counter</button>`}
    <//>
    <${Failure} error=${list.error || values.error} />
    <${Field} label="Show names with" value=${wanted} onChange=${setWanted} kind="search" />
    <${Table} caption="Counters" rows=${names} id=${(name) => name}
      empty=${list.value ? 'There is no such counter.' : 'Loading …'}
      columns=${[
        { name: 'Name', cell: (name) => name },
        { name: 'Value', number: true, cell: (name) => {
          const value = values.value?.[name];
          return Number.isFinite(value) ? value.toLocaleString('en') : '–';
        } },
        ...(can('WRITE') ? [{ name: 'Change', cell: (name) => html`
          <span class="buttons">
            <button aria-label="Subtract 1 from ${name}" onClick=${() => act(name, 'decrement')}>−1</button>
            <button aria-label="Add 1 to ${name}" onClick=${() => act(name, 'increment')}>+1</button>
            <button aria-label="Reset ${name}" onClick=${() => act(name, 'reset')}>Reset</button>
            ${can('CREATE') && html`
              <button class="danger" aria-label="Remove ${name}"
                onClick=${() => setRemoved(name)}>Remove</button>`}
          </span>` }] : []),
      ]} />
    ${all.length > SHOWN_MAX && html`
      <p class="note">${count(all.length - SHOWN_MAX)} more: narrow the names down to see them.</p>`}
    ${isNew && html`
      <${Create} onClose=${() => setNew(false)} onDone=${() => { setNew(false); list.refresh(); }} />`}
    ${removed && html`
      <${Confirm} title="Remove the counter" text="This removes ${removed} and its value."
        action="Remove the counter" onClose=${() => setRemoved(null)}
        onYes=${() => attempt(() => change('DELETE', path('counters', removed)),
          `Removed ${removed}.`).then(list.refresh)} />`}`;
}

// Schemas of messages in caches of ProtoStream.
import { useEffect, useState } from './hooks.js';
import { html } from './html.js';
import { change, json, path, text } from './rest.js';
import { Confirm, Dialog, Failure, Field, Head, Table, attempt, say, useLive, useRights }
  from './ui.js';

function Editor({ name, onClose, onDone }) {
  const { can } = useRights();
  const isNew = name === '';
  const [typedName, setTypedName] = useState(name);
  const [content, setContent] = useState(isNew ? '' : null);
  const [error, setError] = useState(null);
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isNew) text(path('schemas', name)).then(setContent, setError);
  }, []);
  const submit = async (event) => {
    event.preventDefault();
    setError(null);
    try {
      const answer = await change(isNew ? 'POST' : 'PUT', path('schemas', typedName), content,
        { 'Content-Type': 'text/plain' });
      const written = await answer.json();
      if (written.error) say(`Saved, with an error: ${written.error.cause}`, true);
      else say(`Saved ${written.name}.`);
      onDone();
    } catch (failure) {
      setError(failure);
    }
  };
  return html`
    <${Dialog} title=${isNew ? 'Add a schema' : name} onClose=${onClose} wide=${true}>
      <form onSubmit=${submit}>
        ${isNew && html`
          <${Field} label="Name" value=${typedName} onChange=${setTypedName} required
            hint="For example book.proto" />`}
        <${Field} label="Text" kind="area" rows="18" wide value=${content ?? 'Loading …'}
          onChange=${setContent} readonly=${!can('CREATE')} class="code" required />
        <${Failure} error=${error} />
        <div class="buttons">
          ${!isNew && can('CREATE') && html`
            <button type="button" class="danger" onClick=${() => setAsked(true)}>Remove</button>`}
          <span class="space"></span>
          <button type="button" onClick=${onClose}>Close</button>
          ${can('CREATE') && html`<button class="primary" disabled=${content === null}>Save</button>`}
        </div>
      </form>
      ${isAsked && html`
        <${Confirm} title="Remove the schema" action="Remove the schema"
          text="Messages of ${name} can't be shown as JSON without it."
          onClose=${() => setAsked(false)}
          onYes=${async () => {
            if (await attempt(() => change('DELETE', path('schemas', name)), `Removed ${name}.`)) onDone();
          }} />`}
    <//>`;
}

export function Schemas() {
  const { can } = useRights();
  const list = useLive(() => json('schemas'), [], 10_000);
  const types = useLive(() => json('schemas?action=types'), [], 10_000);
  const [opened, setOpened] = useState(null);
  const done = () => {
    setOpened(null);
    list.refresh();
    types.refresh();
  };
  return html`
    <${Head} title="Schemas">
      ${can('CREATE') && html`
        <button class="primary" onClick=${() => setOpened('')}>Add a schema</button>`}
    <//>
    <${Failure} error=${list.error || types.error} />
    <${Table} caption="Schemas" rows=${list.value ?? []} id=${(row) => row.name}
      empty=${list.value ? 'There is no schema.' : 'Loading …'}
      columns=${[
        { name: 'Name', cell: (row) => html`
          <button class="link" onClick=${() => setOpened(row.name)}>${row.name}</button>` },
        { name: 'State', cell: (row) => (row.error
          ? html`<span class="badge bad">error</span> ${row.error.cause}`
          : html`<span class="badge good">valid</span>`) },
      ]} />
    <h2>Messages</h2>
    ${(types.value ?? []).length === 0 ? html`<p class="empty">There is no message.</p>`
      : html`<ul class="names">${types.value.map((each) => html`<li><code>${each}</code></li>`)}</ul>`}
    ${opened !== null && html`
      <${Editor} name=${opened} onClose=${() => setOpened(null)} onDone=${done} />`}`;
}

// Archives of this server: makes, fetches, restores and deletes them.
import { useContext, useState } from './hooks.js';
import { html } from './html.js';
import { change, json, path, request } from './rest.js';
import { Bar, Confirm, Dialog, Failure, Field, Head, Session, Table, attempt, bytes, count, say, useLive }
  from './ui.js';

const BACKUPS = 'container/backups';
const RESTORES = 'container/restores';

/** What a browser can hold of an archive that it fetches with a login. */
const FETCHED_BYTES_MAX = 2 ** 30;
const FETCH_MILLIS = 3_600_000;

const KINDS = [['caches', 'Caches'], ['templates', 'Templates'], ['counters', 'Counters'],
  ['proto-schemas', 'Schemas']];
const EVERYTHING = Object.fromEntries(KINDS.map(([kind]) => [kind, '*']));
const STATES = { RUNNING: ['busy', 'running'], DONE: ['good', 'complete'], FAILED: ['bad', 'failed'] };

function listOf(kind) {
  return json(`${kind}?action=detailed`);
}

function nowAsName(prefix) {
  return `${prefix}-${new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-')}`;
}

/** The names that were typed, as the server takes them; a kind without names is left out. */
function resourcesOf(typed) {
  return Object.fromEntries(Object.entries(typed)
    .map(([kind, names]) => [kind, names.split(/[\s,]+/).filter(Boolean)])
    .filter(([, names]) => names.length > 0));
}

function Resources({ typed, setTyped }) {
  return html`
    <fieldset>
      <legend>What is in it</legend>
      <p class="note">Names with commas between them, * for all, nothing for none.</p>
      ${KINDS.map(([kind, title]) => html`
        <${Field} key=${kind} label=${title} value=${typed[kind]}
          onChange=${(names) => setTyped({ ...typed, [kind]: names })} />`)}
    </fieldset>`;
}

/** A dialog that sends something and closes when the server took it. */
function Order({ title, action, children, send, done, onClose, isSafe = true, isReady = true }) {
  const [state, setState] = useState({ isBusy: false, error: null });
  const submit = async (event) => {
    event.preventDefault();
    setState({ isBusy: true, error: null });
    try {
      await send();
      say(done);
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form onSubmit=${submit}>
        ${children}
        <${Failure} error=${state.error} />
        <p role="status">${state.isBusy ? 'Sending …' : ''}</p>
        <div class="buttons">
          <button type="button" onClick=${onClose}>Cancel</button>
          <button class=${isSafe ? 'primary' : 'danger'} disabled=${state.isBusy || !isReady}>${action}</button>
        </div>
      </form>
    <//>`;
}

function Create({ onClose }) {
  const [name, setName] = useState(nowAsName('backup'));
  const [typed, setTyped] = useState(EVERYTHING);
  return html`
    <${Order} title="Make a backup" action="Make the backup" done="The backup is being made."
        onClose=${onClose} send=${() => change('POST', path(BACKUPS, name),
          JSON.stringify({ resources: resourcesOf(typed) }), { 'Content-Type': 'application/json' })}>
      <${Field} label="Name" value=${name} onChange=${setName} required />
      <${Resources} typed=${typed} setTyped=${setTyped} />
    <//>`;
}

function Warning() {
  return html`
    <p>Entries with keys of the archive are replaced; other entries stay. Nothing changes if the
      archive is damaged.</p>`;
}

function Restore({ backup, onClose }) {
  const [typed, setTyped] = useState(EVERYTHING);
  const [word, setWord] = useState('');
  return html`
    <${Order} title="Restore ${backup}" action="Restore" done="The restore has begun." isSafe=${false} isReady=${word === backup}
        onClose=${onClose} send=${() => change('POST', path(RESTORES, nowAsName(backup).slice(-100)),
          JSON.stringify({ location: backup, resources: resourcesOf(typed) }),
          { 'Content-Type': 'application/json' })}>
      <${Warning} />
      <${Resources} typed=${typed} setTyped=${setTyped} />
      <${Field} label="Type ${backup} to confirm" value=${word} onChange=${setWord} />
    <//>`;
}

function Upload({ onClose }) {
  const [file, setFile] = useState(null);
  return html`
    <${Order} title="Restore an archive of this machine" action="Restore" isSafe=${false}
        done="The archive has arrived, and the restore has begun." onClose=${onClose}
        send=${() => request(path(RESTORES, nowAsName('upload')), { method: 'POST', body: file,
          headers: { 'Content-Type': 'application/zip' }, signal: AbortSignal.timeout(FETCH_MILLIS) })}>
      <${Warning} />
      <${Field} label="Archive" kind="file" accept=".zip" required onChange=${() => {}}
        onInput=${(event) => setFile(event.target.files[0])} />
      ${file && html`<p class="note">${bytes(file.size)}</p>`}
    <//>`;
}

/** Fetches an archive with the login of the page, and hands it to the browser as a file. */
async function fetchArchive(backup) {
  if (backup.bytes > FETCHED_BYTES_MAX) {
    throw new Error(`The archive has ${bytes(backup.bytes)}, too many for a browser. Fetch it by `
      + `./isogrid backup get ${backup.name}.`);
  }
  const answer = await request(path(BACKUPS, backup.name), { signal: AbortSignal.timeout(FETCH_MILLIS) });
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `${backup.name}.zip`;
  link.click();
  URL.revokeObjectURL(address);
}

function Fetch({ backup }) {
  const { hasLogin } = useContext(Session);
  const label = `Download ${backup.name}`;
  if (!hasLogin) {
    return html`
      <a class="button" aria-label=${label} download=${`${backup.name}.zip`}
        href=${`../rest/v2/${path(BACKUPS, backup.name)}`}>Download</a>`;
  }
  return html`
    <button aria-label=${label} onClick=${() => attempt(() => fetchArchive(backup),
      `Fetched ${backup.name}.`)}>Download</button>`;
}

function Outcome({ row }) {
  const [kind, word] = STATES[row.state] ?? ['', row.state.toLowerCase()];
  return html`
    <span class="badge ${kind}">${word}</span> ${row.outcome}
    ${row.state === 'RUNNING' && html`
      <${Bar} label="Entries" used=${row.entries_done} max=${row.entries_total} form=${count} />`}`;
}

function Restores({ rows, refresh }) {
  const forget = (row) => attempt(() => change('DELETE', path(RESTORES, row.name)),
    row.state === 'RUNNING' ? 'The restore is being cancelled.' : 'Forgotten.').then(refresh);
  return html`
    <h2>Latest restores</h2>
    <${Table} caption="Restores" rows=${rows} id=${(row) => row.name} empty="There was none."
      columns=${[
        { name: 'Name', cell: (row) => row.name },
        { name: 'State', cell: (row) => html`<${Outcome} row=${row} />` },
        { name: 'Actions', cell: (row) => html`
          <button aria-label=${`${row.state === 'RUNNING' ? 'Cancel' : 'Forget'} ${row.name}`}
            onClick=${() => forget(row)}>${row.state === 'RUNNING' ? 'Cancel' : 'Forget'}</button>` },
      ]} />`;
}

export function Backups() {
  const live = useLive(async () => {
    const [made, restored] = await Promise.all([listOf(BACKUPS), listOf(RESTORES)]);
    return { made, restored };
  }, [], 2000);
  const [asked, setAsked] = useState(null);
  const close = () => {
    setAsked(null);
    live.refresh();
  };
  const remove = (row) => attempt(() => change('DELETE', path(BACKUPS, row.name)),
    row.state === 'RUNNING' ? 'The backup is being cancelled.' : `Deleted ${row.name}.`);
  const isWithoutFolder = live.error?.status === 400;
  return html`
    <${Head} title="Backups">
      ${live.value && html`
        <button onClick=${() => setAsked({ what: 'upload' })}>Restore a file</button>
        <button class="primary" onClick=${() => setAsked({ what: 'create' })}>Make a backup</button>`}
    <//>
    ${isWithoutFolder ? html`<p class="empty">${live.error.message}</p>`
      : html`<${Failure} error=${live.error} />`}
    ${live.value && html`
      <${Table} caption="Backups" rows=${live.value.made} id=${(row) => row.name}
        empty="This server has no backup."
        columns=${[
          { name: 'Name', cell: (row) => row.name },
          { name: 'State', cell: (row) => html`<${Outcome} row=${row} />` },
          { name: 'Size', number: true, cell: (row) => bytes(row.bytes) },
          { name: 'Written', cell: (row) => (row.written_millis > 0
            ? new Date(row.written_millis).toLocaleString() : '–') },
          { name: 'Actions', cell: (row) => html`
            <div class="buttons">
              ${row.state === 'DONE' && html`
                <${Fetch} backup=${row} />
                <button aria-label="Restore ${row.name}"
                  onClick=${() => setAsked({ what: 'restore', row })}>Restore</button>`}
              <button class="danger" aria-label=${`${row.state === 'RUNNING' ? 'Cancel' : 'Delete'} ${row.name}`}
                onClick=${() => setAsked({ what: 'remove', row })}>
                ${row.state === 'RUNNING' ? 'Cancel' : 'Delete'}</button>
            </div>` },
        ]} />
      <p class="note">Archives lie on the disk of this server. In a cluster each has all entries of
        distributed and replicated caches.</p>
      <${Restores} rows=${live.value.restored} refresh=${live.refresh} />`}
    ${asked?.what === 'create' && html`<${Create} onClose=${close} />`}
    ${asked?.what === 'upload' && html`<${Upload} onClose=${close} />`}
    ${asked?.what === 'restore' && html`<${Restore} backup=${asked.row.name} onClose=${close} />`}
    ${asked?.what === 'remove' && html`
      <${Confirm} title="Delete the backup" action="Delete the backup" onClose=${close}
        text="This deletes ${asked.row.name} from the disk of this server."
        onYes=${() => remove(asked.row)} />`}`;
}

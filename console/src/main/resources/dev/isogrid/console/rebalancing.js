// How far the moving of entries between nodes is, with its pause and its speed.
import { useState } from './hooks.js';
import { html } from './html.js';
import { change, json } from './rest.js';
import { Bar, Dialog, Failure, Field, Head, Plot, attempt, bytes, count, duration, useHistory,
  useLive, useRights } from './ui.js';
import { useSample } from './overview.js';

const speedOf = (limit) => (limit === 'configured' ? 'as each server was started'
  : limit === 'unlimited' ? 'unlimited' : `${bytes(Number(limit))}/s`);

function Speed({ limit, onClose }) {
  const [rate, setRate] = useState(limit);
  const set = (event) => {
    event.preventDefault();
    attempt(() => change('POST',
      `container?action=limit-rebalancing&rate=${encodeURIComponent(rate.trim())}`),
    'The limit holds on all nodes.').then((isDone) => isDone && onClose());
  };
  return html`
    <${Dialog} title="Limit the speed" onClose=${onClose}>
      <form onSubmit=${set}>
        <${Field} label="Bytes that each node sends per second" value=${rate} onChange=${setRate}
          hint="A size such as 30MB; unlimited; or configured, as each server was started" required />
        <div class="buttons"><button class="primary">Set the limit</button></div>
      </form>
    <//>`;
}

export function Rebalancing() {
  const { can } = useRights();
  const live = useLive(() => json('cluster?action=rebalancing'), [], 1000);
  const now = live.value;
  const speed = useHistory('rebalancing.speed', useSample(now, () => [now.bytes_per_second]));
  const left = useHistory('rebalancing.left',
    useSample(now, () => [now.copies_left, now.copies_under_way]));
  const [isLimiting, setLimiting] = useState(false);
  const isOn = now?.rebalancing_enabled;
  const turn = () => attempt(
    () => change('POST', `container?action=${isOn ? 'disable' : 'enable'}-rebalancing`),
    isOn ? 'Rebalancing pauses, on all nodes.' : 'Rebalancing goes on.').then(live.refresh);
  const total = now ? now.bytes_done + now.bytes_left : 0;
  return html`
    <${Head} title="Rebalancing">
      ${can('ADMIN') && now && html`
        <button class=${isOn ? '' : 'primary'} onClick=${turn}>
          ${isOn ? 'Pause for all caches' : 'Go on'}</button>
        <button onClick=${() => setLimiting(true)}>Limit the speed</button>`}
    <//>
    <${Failure} error=${live.error} />
    ${isLimiting && html`<${Speed} limit=${now.rate_limit}
      onClose=${() => { setLimiting(false); live.refresh(); }} />`}
    ${now && html`
      <p role="status">${!isOn ? 'Paused for all caches, until further notice.'
        : now.copies_left > 0
          ? `${count(now.copies_left)} copies are left; about ${duration(now.seconds_left)}.`
          : 'Every copy is where it belongs.'}</p>
      <section class="card" aria-label="Progress">
        <${Bar} label="Done" used=${now.bytes_done} max=${total} />
        <dl class="facts">
          <dt>Copies left</dt><dd>${count(now.copies_left)}</dd>
          <dt>Copies under way</dt><dd>${count(now.copies_under_way)}</dd>
          <dt>Bytes left</dt><dd>${bytes(now.bytes_left)}</dd>
          <dt>Speed</dt><dd>${bytes(now.bytes_per_second)}/s</dd>
          <dt>Limit of a node</dt><dd>${speedOf(now.rate_limit)}</dd>
          <dt>Time left</dt><dd>${now.copies_left > 0 ? duration(now.seconds_left) : '–'}</dd>
          ${now.paused_caches.length > 0 && html`
            <dt>Paused caches</dt><dd>${now.paused_caches.join(', ')}</dd>`}
          ${now.silent_nodes.length > 0 && html`
            <dt>Nodes that don't answer</dt><dd>${now.silent_nodes.join(', ')}</dd>`}
        </dl>
      </section>
      <div class="plots">
        <${Plot} title="Bytes per second" history=${speed} names=${['moved']} form=${bytes} />
        <${Plot} title="Copies" history=${left} names=${['left', 'under way']} form=${count} />
      </div>
      <p class="note">The <a href="#/segments">segment map</a> shows which segments move. A cache, and
        those of its shape, are paused in the view of the cache.</p>`}`;
}

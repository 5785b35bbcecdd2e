// How far the moving of entries between nodes is, with its pause.
import { html } from './html.js';
import { change, json } from './rest.js';
import { Bar, Failure, Head, Plot, attempt, bytes, count, duration, useHistory, useLive, useRights }
  from './ui.js';
import { useSample } from './overview.js';

export function Rebalancing() {
  const { can } = useRights();
  const live = useLive(() => json('cluster?action=rebalancing'), [], 1000);
  const now = live.value;
  const speed = useHistory('rebalancing.speed', useSample(now, () => [now.bytes_per_second]));
  const left = useHistory('rebalancing.left',
    useSample(now, () => [now.copies_left, now.copies_under_way]));
  const isOn = now?.rebalancing_enabled;
  const turn = () => attempt(
    () => change('POST', `container?action=${isOn ? 'disable' : 'enable'}-rebalancing`),
    isOn ? 'Rebalancing pauses, on all nodes.' : 'Rebalancing goes on.').then(live.refresh);
  const total = now ? now.bytes_done + now.bytes_left : 0;
  return html`
    <${Head} title="Rebalancing">
      ${can('ADMIN') && now && html`
        <button class=${isOn ? '' : 'primary'} onClick=${turn}>
          ${isOn ? 'Pause for all caches' : 'Go on'}</button>`}
    <//>
    <${Failure} error=${live.error} />
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

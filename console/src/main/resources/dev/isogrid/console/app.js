// The console: login, navigation, and the view that the address names.
import { render } from './preact.js';
import { useEffect, useState } from './hooks.js';
import { html } from './html.js';
import { json, logIn, loginConfig, logOut, whenLoginEnds } from './rest.js';
import { Badge, Failure, Field, Messages, Session, own, useLive, useRights } from './ui.js';
import { Overview } from './overview.js';
import { SegmentMap } from './segments.js';
import { Caches } from './caches.js';
import { CreateCache } from './create.js';
import { CacheView } from './cache.js';
import { Latency } from './latency.js';
import { Memory } from './memory.js';
import { Disks } from './disks.js';
import { Backups } from './backups.js';
import { Rebalancing } from './rebalancing.js';
import { Counters } from './counters.js';
import { Schemas } from './schemas.js';
import { Tasks } from './tasks.js';
import { People } from './people.js';

const VIEWS = [
  { name: 'overview', title: 'Overview', view: Overview },
  { name: 'segments', title: 'Segment map', view: SegmentMap },
  { name: 'caches', title: 'Caches', view: Caches },
  { name: 'latency', title: 'Latency', view: Latency, needs: 'MONITOR' },
  { name: 'memory', title: 'Memory', view: Memory, needs: 'MONITOR' },
  { name: 'disks', title: 'Disks', view: Disks, needs: 'MONITOR' },
  { name: 'rebalancing', title: 'Rebalancing', view: Rebalancing },
  { name: 'backups', title: 'Backups', view: Backups, needs: 'ADMIN' },
  { name: 'counters', title: 'Counters', view: Counters },
  { name: 'schemas', title: 'Schemas', view: Schemas },
  { name: 'tasks', title: 'Tasks', view: Tasks },
  { name: 'people', title: 'Connections and users', view: People },
];
const INNER = { create: CreateCache, cache: CacheView };
const THEMES = ['system', 'light', 'dark'];
const THEME_KEY = 'isogrid-console-theme';

function storedTheme() {
  try {
    const stored = localStorage.getItem(THEME_KEY);
    return THEMES.includes(stored) ? stored : 'system';
  } catch {
    return 'system'; // the browser keeps nothing for this page
  }
}

function useTheme() {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(THEME_KEY, theme);
    } catch {
      // it holds until the page is left
    }
  }, [theme]);
  return [theme, setTheme];
}

/** The address: #/name/argument/argument, each argument encoded. */
function readRoute() {
  const parts = location.hash.replace(/^#\/?/, '').split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { name: parts[0] || 'overview', args: parts.slice(1) };
}

function useRoute() {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const read = () => setRoute(readRoute());
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return route;
}

function ThemeSwitch({ theme, setTheme }) {
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return html`
    <button class="plain" onClick=${() => setTheme(next)}
      aria-label="Colours: ${theme}. Change to ${next}">
      <span aria-hidden="true">${{ system: '◐', light: '☀', dark: '☾' }[theme]}</span>
      <span class="wideonly"> ${theme}</span>
    </button>`;
}

function Login({ config, notice, onLogin }) {
  const [user, setUser] = useState('');
  const [secret, setSecret] = useState('');
  const hasPasswords = config.schemes.some((scheme) => scheme !== 'BEARER');
  const [kind, setKind] = useState(hasPasswords ? 'password' : 'token');
  const [state, setState] = useState({ isBusy: false, error: null });
  const submit = async (event) => {
    event.preventDefault();
    setState({ isBusy: true, error: null });
    try {
      const acl = await logIn(config.schemes, user, secret, kind === 'token');
      onLogin(acl);
    } catch (error) {
      setSecret('');
      setState({ isBusy: false, error });
    }
  };
  const isToken = kind === 'token';
  return html`
    <main class="login">
      <form onSubmit=${submit} class="card">
        <h1>Isogrid console</h1>
        ${notice && html`<p role="status">${notice}</p>`}
        ${config.schemes.length === 0 && html`
          <p class="failure" role="alert">This connection offers no login that a browser can use.
            Open the console over TLS.</p>`}
        ${hasPasswords && config.schemes.includes('BEARER') && html`
          <${Field} label="Log in by" value=${kind} onChange=${setKind}>
            <option value="password">name and password</option>
            <option value="token">token</option>
          <//>`}
        ${!isToken && html`
          <${Field} label="User" value=${user} onChange=${setUser} autocomplete="username"
            required name="user" />`}
        <${Field} label=${isToken ? 'Token' : 'Password'} kind="password" value=${secret}
          onChange=${setSecret} autocomplete="current-password" required name="secret" />
        <${Failure} error=${state.error} />
        <div class="buttons">
          <button class="primary" disabled=${state.isBusy || config.schemes.length === 0}>Log in</button>
        </div>
        <p class="note">The console keeps the login in the memory of this page only.
          ${location.protocol === 'http:' && !isToken && config.schemes.includes('DIGEST')
            ? ' The password itself is not sent.' : ''}</p>
      </form>
    </main>`;
}

function Navigation({ current }) {
  const { can } = useRights();
  return html`
    <nav aria-label="Views">
      <ul>
        ${VIEWS.filter(({ needs }) => !needs || can(needs)).map(({ name, title }) => html`
          <li><a href=${'#/' + name} aria-current=${current === name ? 'page' : undefined}>${title}</a></li>`)}
      </ul>
    </nav>`;
}

function State() {
  const { value, error } = useLive(() => json('container/health'), [], 5000);
  const cluster = value?.cluster_health;
  if (error && !cluster) return html`<span class="badge bad">no answer</span>`;
  return html`
    <span class="state" role="status">
      <span class="hidden">Health of the cluster: </span>
      <${Badge} health=${error ? 'no answer' : cluster?.health_status} />
      ${cluster && html`<span class="wideonly"> ${cluster.cluster_name}, ${cluster.number_of_nodes}
        ${cluster.number_of_nodes === 1 ? ' node' : ' nodes'}</span>`}
    </span>`;
}

function Frame({ session, theme, setTheme, onLeave }) {
  const route = useRoute();
  const known = VIEWS.find((each) => each.name === route.name);
  const View = known?.view ?? own(INNER, route.name) ?? Overview;
  const user = session.acl.subject?.[0]?.name;
  return html`
    <${Session.Provider} value=${session}>
      <a class="skip" href="#main" onClick=${(event) => {
        event.preventDefault();
        document.querySelector('main h1').focus();
      }}>Skip to the content</a>
      <header>
        <a class="brand" href="#/overview"><img src="icon.svg" alt="" width="24" height="24" />Isogrid</a>
        <${State} />
        <span class="space"></span>
        ${user && html`<span class="wideonly user">${user}</span>`}
        <${ThemeSwitch} theme=${theme} setTheme=${setTheme} />
        ${session.hasLogin && html`<button class="plain" onClick=${onLeave}>Log out</button>`}
      </header>
      <div class="body">
        <${Navigation} current=${own(INNER, route.name) ? 'caches' : known?.name ?? 'overview'} />
        <main id="main"><${View} key=${route.name + route.args[0]} args=${route.args} /></main>
      </div>
    <//>`;
}

function App() {
  const [theme, setTheme] = useTheme();
  const [config, setConfig] = useState(null);
  const [session, setSession] = useState(null);
  const [notice, setNotice] = useState('');
  const [error, setError] = useState(null);
  const leave = (message) => {
    logOut();
    setSession(null);
    setNotice(message);
  };
  useEffect(() => {
    whenLoginEnds((text) => leave(`The login has ended: ${text || 'log in again.'}`));
    (async () => {
      try {
        const found = await loginConfig();
        if (found.schemes.length === 0) {
          try {
            setSession({ acl: await json('security/user/acl'), hasLogin: false });
          } catch (failure) {
            if (failure.status !== 401) throw failure;
          }
          setNotice('');
        }
        setConfig(found);
      } catch (failure) {
        setError(failure);
      }
    })();
  }, []);
  const shown = () => {
    if (error) return html`<main class="login"><h1>Isogrid console</h1><${Failure} error=${error} /></main>`;
    if (session) {
      return html`<${Frame} session=${session} theme=${theme} setTheme=${setTheme}
        onLeave=${() => leave('You are logged out.')} />`;
    }
    return config && html`
      <${Login} config=${config} notice=${notice}
        onLogin=${(acl) => { setNotice(''); setSession({ acl, hasLogin: true }); }} />`;
  };
  return html`${shown()}<${Messages} />`;
}

const root = document.getElementById('app');
root.textContent = '';
render(html`<${App} />`, root);

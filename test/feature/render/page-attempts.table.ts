// What a hostile page tries in the browser. `OWN` is its site, `VICTIM` a server at an address that the guard blocks, `UDP` a port on it.

export interface PageAttempt {
  readonly id: string;
  /** Run by the page once its text is there. */
  readonly script?: string;
  /** At the end of its body. */
  readonly html?: string;
  /** Sent with the page. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What becomes of the page: its text is stored, or it left its text, or it used up its time. */
  readonly ends: 'with its text' | 'elsewhere' | 'at a limit';
}

const text = (id: string, script: string): PageAttempt => ({ id, script, ends: 'with its text' });
const markup = (id: string, html: string): PageAttempt => ({ id, html, ends: 'with its text' });
const leaves = (id: string, script: string): PageAttempt => ({ id, script, ends: 'elsewhere' });

export const PAGE_ATTEMPTS: readonly PageAttempt[] = [
  text('navigation to a file', `location.href = 'file:///etc/passwd'`),
  text('navigation to a page of the browser', `location.href = 'chrome://version/'`),
  text('navigation to the source of a file', `location.href = 'view-source:file:///etc/passwd'`),
  text('navigation to a data URL', `location.href = 'data:text/html,<p>planted</p>'`),
  leaves(
    'navigation to a blob',
    `location.href = URL.createObjectURL(new Blob(['<p>planted</p>'], { type: 'text/html' }))`,
  ),
  leaves('navigation to a blocked address', `location.href = 'VICTIM/navigation'`),
  { id: 'redirect to a blocked address', script: `location.href = 'OWN/redirect'`, ends: 'elsewhere' },
  {
    id: 'refresh to a blocked address',
    html: '<meta http-equiv="refresh" content="0;url=VICTIM/refresh">',
    ends: 'elsewhere',
  },
  markup('frame with a file', '<iframe src="file:///etc/passwd"></iframe>'),
  markup('frame with a page of the browser', '<iframe src="chrome://settings/"></iframe>'),
  markup(
    'frames in frames',
    '<script>if (top === self || depth() < 60) document.write("<iframe src=" + location.href + "></iframe>"); function depth() { let n = 0; for (let at = self; at !== top; at = at.parent) n += 1; return n; }</script>',
  ),
  markup('object and embed', '<object data="VICTIM/object"></object><embed src="VICTIM/embed">'),
  markup('media', '<video src="VICTIM/video" autoplay></video><audio src="VICTIM/audio" autoplay></audio>'),
  markup(
    'fonts and images of a style',
    '<style>@import "VICTIM/style"; @font-face { font-family: x; src: url(VICTIM/font) } p { font-family: x; background: url(VICTIM/image) }</style>',
  ),
  markup('base URL elsewhere', '<base href="VICTIM/"><img src="image"><script src="script"></script>'),
  markup(
    'hints',
    '<link rel="preconnect" href="VICTIM"><link rel="dns-prefetch" href="VICTIM"><link rel="prefetch" href="VICTIM/prefetch"><link rel="preload" as="script" href="VICTIM/preload"><link rel="modulepreload" href="VICTIM/module">',
  ),
  markup(
    'speculation rules',
    '<script type="speculationrules">{"prerender":[{"source":"list","urls":["OWN/forbidden/prerender"]}],"prefetch":[{"source":"list","urls":["OWN/forbidden/prefetch"]}]}</script>',
  ),
  markup(
    'ping of a link',
    '<a id="ping" href="#x" ping="VICTIM/ping OWN/forbidden/ping">x</a><script>ping.click()</script>',
  ),
  {
    id: 'reports',
    headers: {
      'report-to': '{"group":"x","max_age":60,"endpoints":[{"url":"VICTIM/report"}]}',
      nel: '{"report_to":"x","max_age":60,"success_fraction":1}',
      'reporting-endpoints': 'x="VICTIM/report"',
      'content-security-policy': "img-src 'none'; report-uri VICTIM/csp; report-to x",
    },
    html: '<img src="OWN/image">',
    ends: 'with its text',
  },
  {
    id: 'hints of a header',
    headers: { link: '<VICTIM/preload>; rel=preload; as=script, <VICTIM>; rel=preconnect' },
    ends: 'with its text',
  },
  text(
    'request for a file',
    `fetch('file:///etc/passwd').then((r) => r.text()).then((t) => app.append(t)).catch(() => 0)`,
  ),
  text(
    'request by a worker',
    `new Worker(URL.createObjectURL(new Blob(["fetch('VICTIM/worker', { mode: 'no-cors' })"])))`,
  ),
  text(
    'request by a shared worker',
    `new SharedWorker(URL.createObjectURL(new Blob(["fetch('VICTIM/shared', { mode: 'no-cors' })"])))`,
  ),
  text('service worker', `navigator.serviceWorker.register('/sw.js').catch(() => 0)`),
  text('module of a blocked address', `import('VICTIM/module').catch(() => 0)`),
  text('web socket', `new WebSocket('VICTIM/socket'.replace('http', 'ws'))`),
  text('events', `new EventSource('VICTIM/events')`),
  text(
    'WebRTC',
    `(async () => { const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:UDP' }, { urls: 'turn:UDP?transport=tcp', username: 'u', credential: 'p' }] }); peer.createDataChannel('x'); await peer.setLocalDescription(await peer.createOffer()); })()`,
  ),
  text('WebTransport', `try { new WebTransport('https://UDP/transport').ready.catch(() => 0) } catch {}`),
  text(
    'a name that changes its address',
    `(async () => { for (let n = 0; n < 5; n += 1) await fetch('http://rebind.example:VICTIM_PORT/rebound', { mode: 'no-cors' }).catch(() => 0) })()`,
  ),
  text('beacon', `navigator.sendBeacon('OWN/forbidden/beacon', 'x'); navigator.sendBeacon('VICTIM/beacon', 'x')`),
  text(
    'beacon at the end',
    `for (const kind of ['pagehide', 'unload', 'visibilitychange', 'beforeunload']) addEventListener(kind, () => { navigator.sendBeacon('OWN/forbidden/end', 'x'); fetch('OWN/forbidden/keepalive', { method: 'POST', keepalive: true, body: 'x' }) })`,
  ),
  text(
    'form that is sent',
    `const f = document.createElement('form'); f.method = 'post'; f.target = 'other'; f.action = 'OWN/forbidden/form'; document.body.append(f); f.submit()`,
  ),
  text(
    'requests that change something',
    `for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) fetch('OWN/forbidden/' + method, { method }).catch(() => 0)`,
  ),
  text(
    'windows',
    `for (let n = 0; n < 200; n += 1) window.open('VICTIM/window' + n); for (let n = 0; n < 200; n += 1) window.open('about:blank')`,
  ),
  text(
    'download of a blob',
    `const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['planted'])); a.download = 'planted.sh'; document.body.append(a); a.click()`,
  ),
  text(
    'download of a file',
    `const a = document.createElement('a'); a.href = 'OWN/download'; a.download = ''; document.body.append(a); a.click()`,
  ),
  text(
    'dialogs',
    `alert(1); confirm(2); prompt(3); addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'x' }); print()`,
  ),
  text(
    'permissions',
    `for (const name of ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read']) navigator.permissions.query({ name }).then(({ state }) => { if (state === 'granted') app.append('GRANTED ' + name) }).catch(() => 0); navigator.geolocation.getCurrentPosition(() => app.append('GRANTED position')); Notification.requestPermission().then((state) => { if (state === 'granted') app.append('GRANTED notification') }); navigator.mediaDevices?.getUserMedia({ video: true, audio: true }).then(() => app.append('GRANTED media'), () => 0)`,
  ),
  text(
    'devices',
    `for (const api of ['usb', 'bluetooth', 'hid', 'serial']) navigator[api]?.requestDevice?.({ filters: [] }).then(() => app.append('GRANTED ' + api), () => 0); window.showOpenFilePicker?.().then(() => app.append('GRANTED files'), () => 0)`,
  ),
  text(
    'full screen and pointer lock',
    `document.documentElement.requestFullscreen().catch(() => 0); document.body.requestPointerLock?.()`,
  ),
  text('history without end', `for (let n = 0; n < 5000; n += 1) try { history.pushState(0, '', '#' + n) } catch {}`),
  text('cookies and storage for the next page', `document.cookie = 'planted=1'; localStorage.setItem('planted', '1')`),
  { id: 'a loop without end', script: `setTimeout(() => { for (;;); }, 50)`, ends: 'at a limit' },
  {
    id: 'requests without end',
    script: `const again = () => { fetch('OWN/data').catch(() => 0); setTimeout(again, 1) }; again()`,
    ends: 'at a limit',
  },
];

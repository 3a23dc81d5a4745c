// How Chromium is started. Playwright's own flags are not used, so that this table is the whole command line; a test compares
// it with that of a running browser, and shows for each flag of the network what happens without it.

export interface BrowserFlag {
  readonly flag: string;
  readonly because: string;
}

/** Features that connect on their own, or keep pages alive after they were closed. */
const DISABLED_FEATURES = [
  'AutofillServerCommunication',
  'BackForwardCache',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'OptimizationGuideModelDownloading',
  'Prerender2',
  'SpeculationRulesPrefetchFuture',
  'Translate',
] as const;

/** The flags that keep every connection on the proxy: without one of them a page reaches what the guard has not seen. */
const NETWORK_FLAGS: readonly BrowserFlag[] = [
  {
    flag: '--proxy-bypass-list=<-loopback>',
    because: 'Chromium bypasses a proxy for loopback and link-local addresses',
  },
  { flag: '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1', because: 'only the proxy resolves names' },
  { flag: '--disable-quic', because: 'QUIC is UDP, which no HTTP proxy carries' },
  { flag: '--force-webrtc-ip-handling-policy=disable_non_proxied_udp', because: 'WebRTC sends UDP past the proxy' },
  { flag: '--webrtc-ip-handling-policy=disable_non_proxied_udp', because: 'the same, by its newer name' },
  { flag: '--dns-prefetch-disable', because: 'a prefetch is a lookup that the proxy does not see' },
  { flag: '--no-pings', because: 'a link with a ping attribute posts to any host' },
  { flag: '--disable-background-networking', because: 'the browser connects without a page' },
  { flag: '--disable-component-update', because: 'the same' },
  { flag: '--disable-domain-reliability', because: 'the same' },
  { flag: '--disable-sync', because: 'the same' },
  { flag: '--disable-extensions', because: 'the same' },
  { flag: '--disable-default-apps', because: 'the same' },
  { flag: '--disable-client-side-phishing-detection', because: 'the same' },
  { flag: `--disable-features=${DISABLED_FEATURES.join(',')}`, because: 'the same, and preloading of pages' },
];

export const BROWSER_FLAGS: readonly BrowserFlag[] = [
  ...NETWORK_FLAGS,
  { flag: '--headless', because: 'there is no screen' },
  { flag: '--remote-debugging-pipe', because: 'a browser whose parent ends sees the pipe close, and ends too' },
  { flag: '--block-new-web-contents', because: 'no pop-ups' },
  { flag: '--deny-permission-prompts', because: 'no permissions' },
  { flag: '--disable-notifications', because: 'no permissions' },
  { flag: '--disable-remote-fonts', because: 'fonts have no text' },
  { flag: '--mute-audio', because: 'no media' },
  { flag: '--disable-gpu', because: 'nothing is shown, and its process costs memory' },
  { flag: '--disable-dev-shm-usage', because: 'containers have 64 MB of shared memory' },
  { flag: '--disable-breakpad', because: 'no crash reports, and no process that writes them' },
  { flag: '--disable-crash-reporter', because: 'the same' },
  { flag: '--disable-hang-monitor', because: 'a hanging page is ended by its time limit' },
  { flag: '--disable-background-timer-throttling', because: 'no page is in the foreground' },
  { flag: '--disable-backgrounding-occluded-windows', because: 'the same' },
  { flag: '--disable-renderer-backgrounding', because: 'the same' },
  { flag: '--js-flags=--max-old-space-size=512', because: 'a page that allocates without end ends alone' },
  { flag: '--password-store=basic', because: 'no keyring is asked for' },
  { flag: '--no-first-run', because: 'no welcome page' },
  { flag: '--no-default-browser-check', because: 'nothing is asked' },
  { flag: '--no-startup-window', because: 'the pool opens its own pages' },
];

export interface LaunchPlace {
  readonly proxy: { readonly host: string; readonly port: number };
  readonly profile: string;
  readonly sandbox: boolean;
}

export function browserArguments({ proxy, profile, sandbox }: LaunchPlace): string[] {
  return [
    `--proxy-server=http://${proxy.host}:${proxy.port}`,
    `--user-data-dir=${profile}`,
    ...BROWSER_FLAGS.map(({ flag }) => flag),
    ...(sandbox ? [] : ['--no-sandbox']),
  ];
}

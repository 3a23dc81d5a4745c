// Pieces of markup that give away a page made by a guard instead of the site. A mark alone decides nothing:
// guards leave some of them on ordinary pages too, so the verdict also looks at how little the page says.

export interface HtmlMark {
  readonly name: string;
  readonly kind: 'challenge' | 'consent';
  /** Looked for in the markup as it is written. */
  readonly needle: string;
}

export const htmlMarks: readonly HtmlMark[] = [
  { name: 'cloudflare-challenge', kind: 'challenge', needle: '_cf_chl_opt' },
  { name: 'cloudflare-challenge-form', kind: 'challenge', needle: 'id="challenge-form"' },
  { name: 'cloudflare-turnstile-page', kind: 'challenge', needle: 'cf-turnstile' },
  { name: 'aws-waf', kind: 'challenge', needle: 'awsWafCookieDomainList' },
  { name: 'aws-waf-captcha', kind: 'challenge', needle: 'captcha.awswaf.com' },
  { name: 'datadome', kind: 'challenge', needle: 'captcha-delivery.com' },
  { name: 'incapsula', kind: 'challenge', needle: '_Incapsula_Resource' },
  { name: 'perimeterx', kind: 'challenge', needle: 'px-captcha' },
  { name: 'akamai', kind: 'challenge', needle: 'sec-if-cpt-container' },
  { name: 'ddos-guard', kind: 'challenge', needle: '/.well-known/ddos-guard/' },
  { name: 'anubis', kind: 'challenge', needle: '/.within.website/x/cmd/anubis' },
  { name: 'sucuri', kind: 'challenge', needle: 'sucuri_cloudproxy' },
  { name: 'siteground', kind: 'challenge', needle: '/.well-known/sgcaptcha/' },
  { name: 'recaptcha', kind: 'challenge', needle: 'class="g-recaptcha"' },
  { name: 'hcaptcha', kind: 'challenge', needle: 'class="h-captcha"' },
  { name: 'google-consent', kind: 'consent', needle: 'consent.google.' },
  { name: 'yahoo-consent', kind: 'consent', needle: 'guce.' },
  { name: 'onetrust', kind: 'consent', needle: 'onetrust-consent-sdk' },
  { name: 'didomi', kind: 'consent', needle: 'didomi-' },
  { name: 'cookiebot', kind: 'consent', needle: 'CybotCookiebotDialog' },
];

/** Ids under which front-end frameworks mount a page that the server left empty. */
export const mountIds: ReadonlySet<string> = new Set([
  'root',
  'app',
  'app-root',
  'main-app',
  'react-root',
  '__next',
  '__nuxt',
  '___gatsby',
  'svelte',
  'q-app',
  'vue-app',
  'ember-app',
  'redoc',
  'swagger-ui',
  'docsify',
]);

// Phrases of pages without content. Tested against the lower-case title and first heading, unless the name of the list says
// otherwise. Anchored where a document could contain the same words.

export type PhraseList =
  | 'challenge'
  | 'moved'
  | 'login'
  | 'not-found'
  | 'consent'
  | 'consent-choice'
  | 'javascript-needed';

export const phrasesOf: Readonly<Record<PhraseList, readonly RegExp[]>> = {
  challenge: [
    /^just a moment\b/,
    /^attention required\b/,
    /^checking (?:your browser|if the site connection)/,
    /^(?:verify(?:ing)?|confirm) (?:that )?you are (?:a )?human/,
    /^are you (?:a )?(?:robot|human)\b/,
    /security checkpoint/,
    /^(?:access|request) denied\b/,
    /^(?:one more step|please wait\b.*|robot check|pardon our interruption)/,
    /^ddos[- ](?:protection|guard)\b/,
    /^making sure you(?:'|’)re not a bot/,
    /^(?:human|bot) verification\b/,
    /^captcha\b/,
  ],
  moved: [
    /^(?:30[1278]\b.*)?(?:moved|found|object moved|document moved|page moved|redirect(?:ing|ion)?)\b/,
    /^(?:this|the) (?:page|document|site|file) (?:has )?(?:been )?moved\b/,
  ],
  login: [
    /^(?:please )?(?:sign|log)[ -]?in\b/,
    /\b(?:sign|log)[ -]?in(?: page)?$/,
    /^(?:authentication|login|authorization) required\b/,
    /^single sign-?on\b/,
    /^(?:anmelden|se connecter|connexion|iniciar sesión|登录|ログイン|로그인|accedi|войти)\b/,
  ],
  'not-found': [
    /^(?:error )?404\b(?!-|\.)(?:\W|not|page|error|file|found)*(?:$|[-|–—:·])/,
    /\b404\b.{0,20}\bnot found\b|\bnot found\b.{0,20}\b404\b/,
    /^(?:page|document|file|resource|content)? ?not found(?:$|\s*[-|–—:·!.])/,
    /^(?:the|this|that|sorry,? (?:the|this|that)) (?:page|document) .{0,30}(?:not be found|not found|(?:does not|doesn(?:'|’)t) exist)/,
    /^(?:oops|whoops|sorry)\b.{0,40}(?:not found|can(?:'|’)t find|cannot find|(?:does not|doesn(?:'|’)t) exist)/,
    /^page (?:does not|doesn(?:'|’)t) exist/,
    /^(?:seite nicht gefunden|page introuvable|página no encontrada|pagina non trovata|страница не найдена)/,
    /^(?:页面不存在|找不到页面|ページが見つかりません|페이지를 찾을 수 없습니다)/,
  ],
  consent: [
    /^before you continue\b/,
    /^(?:we value|about|manage) your (?:privacy|cookies?)\b/,
    /^(?:cookie|privacy|consent) (?:consent|settings|preferences|preference cent(?:er|re)|notice|choices)\b/,
    /^your (?:privacy|cookie) choices\b/,
    /^(?:this (?:web)?site|we) uses? cookies\b/,
  ],
  'consent-choice': [
    /\b(?:accept|reject|allow|decline)(?: all)?(?: cookies)?\b/,
    /\b(?:manage|customi[sz]e) (?:preferences|settings|options)\b/,
  ],
  'javascript-needed': [
    /\b(?:enable|activate|turn on)\b.{0,30}\bjavascript\b/,
    /\bjavascript\b.{0,40}\b(?:enabled?|required|needed|disabled|not available)\b/,
    /\b(?:needs?|requires?)\b.{0,20}\bjavascript\b/,
  ],
};

// What the upgrade guides of ten packages say, item by item, written down before the first report was made. An item is in a report
// if one entry of the report has all of its words. Left out: additions that break nothing, and items about other packages.

export interface GuideItem {
  readonly item: string;
  /** Identifiers or phrases of the guide, all of which one entry of the report must have. */
  readonly words: readonly string[];
}

export interface UpgradeGuide {
  readonly package: string;
  readonly source: string;
  readonly items: readonly GuideItem[];
}

const item = (text: string, ...words: readonly string[]): GuideItem => ({ item: text, words });

const zod: UpgradeGuide = {
  package: 'zod',
  source: 'https://github.com/colinhacks/zod/blob/main/packages/docs/content/v4/changelog.mdx',
  items: [
    item('deprecates the message parameter', 'message', 'deprecated'),
    item('drops invalid_type_error', 'invalid_type_error'),
    item('drops required_error', 'required_error'),
    item('drops errorMap', 'errorMap'),
    item('renames ZodInvalidTypeIssue', 'ZodInvalidTypeIssue'),
    item('renames ZodTooBigIssue', 'ZodTooBigIssue'),
    item('renames ZodTooSmallIssue', 'ZodTooSmallIssue'),
    item('renames ZodInvalidStringIssue', 'ZodInvalidStringIssue'),
    item('renames ZodNotMultipleOfIssue', 'ZodNotMultipleOfIssue'),
    item('renames ZodUnrecognizedKeysIssue', 'ZodUnrecognizedKeysIssue'),
    item('renames ZodInvalidUnionIssue', 'ZodInvalidUnionIssue'),
    item('renames ZodCustomIssue', 'ZodCustomIssue'),
    item('merges ZodInvalidEnumValueIssue', 'ZodInvalidEnumValueIssue'),
    item('merges ZodInvalidLiteralIssue', 'ZodInvalidLiteralIssue'),
    item('drops ZodInvalidUnionDiscriminatorIssue', 'ZodInvalidUnionDiscriminatorIssue'),
    item('drops ZodInvalidArgumentsIssue', 'ZodInvalidArgumentsIssue'),
    item('drops ZodInvalidReturnTypeIssue', 'ZodInvalidReturnTypeIssue'),
    item('merges ZodInvalidDateIssue', 'ZodInvalidDateIssue'),
    item('drops ZodInvalidIntersectionTypesIssue', 'ZodInvalidIntersectionTypesIssue'),
    item('drops ZodNotFiniteIssue', 'ZodNotFiniteIssue'),
    item('changes the precedence of error maps', 'precedence'),
    item('deprecates format()', 'ZodError', 'format'),
    item('deprecates flatten()', 'ZodError', 'flatten'),
    item('drops formErrors', 'ZodError', 'formErrors'),
    item('deprecates addIssue()', 'ZodError', 'addIssue'),
    item('deprecates addIssues()', 'ZodError', 'addIssues'),
    item('no infinite numbers', 'infinite'),
    item('safe() accepts no floats', 'ZodNumber', 'safe'),
    item('int() accepts safe integers only', 'ZodNumber', 'int'),
    item('deprecates email() and other formats of strings', 'ZodString', 'email'),
    item('stricter uuid()', 'ZodString', 'uuid'),
    item('no padding in base64url()', 'base64url'),
    item('drops z.string().ip()', 'ZodString', 'ip'),
    item('updates ipv6()', 'ipv6'),
    item('drops z.string().cidr()', 'ZodString', 'cidr'),
    item('the input of z.coerce is unknown', 'coerce'),
    item('default() must match the output', 'ZodDefault'),
    item('defaults within optional fields are applied', 'defaults', 'optional'),
    item('deprecates strict()', 'ZodObject', 'strict'),
    item('deprecates passthrough()', 'ZodObject', 'passthrough'),
    item('deprecates strip()', 'ZodObject', 'strip'),
    item('drops nonstrict()', 'ZodObject', 'nonstrict'),
    item('drops deepPartial()', 'ZodObject', 'deepPartial'),
    item('z.unknown() is not optional', 'ZodUnknown'),
    item('deprecates merge()', 'ZodObject', 'merge'),
    item('deprecates z.nativeEnum()', 'nativeEnum'),
    item('drops Enum of enums', 'ZodEnum', 'Enum'),
    item('drops Values of enums', 'ZodEnum', 'Values'),
    item('changes the type of nonempty()', 'ZodArray', 'nonempty'),
    item('deprecates z.promise()', 'promise'),
    item('z.function() has no args()', 'ZodFunction', 'args'),
    item('z.function() has no returns()', 'ZodFunction', 'returns'),
    item('refine() ignores type predicates', 'refine'),
    item('drops ctx.path', 'RefinementCtx', 'path'),
    item('refine() takes no function as second argument', 'ZodType', 'refine'),
    item('drops ostring()', 'ostring'),
    item('drops onumber()', 'onumber'),
    item('z.literal() takes no symbols', 'literal'),
    item('drops static create()', 'create'),
    item('z.record() takes two arguments', 'record'),
    item('z.record() is exhaustive for enums', 'ZodRecord'),
    item('intersections throw Error on conflict', 'ZodIntersection'),
    item('changes the generics of ZodType', 'ZodType', 'Output', 'Input'),
    item('ZodTypeAny is not needed', 'ZodTypeAny'),
    item('moves _def', '_def'),
    item('drops ZodEffects', 'ZodEffects'),
    item('drops ZodBranded', 'ZodBranded'),
  ],
};

const hono: UpgradeGuide = {
  package: 'hono',
  source: 'https://github.com/honojs/hono/blob/main/docs/MIGRATION.md (v3.12.x to v4.0.0)',
  items: [
    item('removes LambdaFunctionUrlRequestContext', 'LambdaFunctionUrlRequestContext'),
    item('removes hono/nextjs', 'nextjs'),
    item('removes c.jsonT()', 'jsonT'),
    item('removes c.stream()', 'Context', 'stream'),
    item('removes c.streamText()', 'Context', 'streamText'),
    item('removes c.env()', 'Context', 'env'),
    item('removes app.showRoutes()', 'showRoutes'),
    item('removes app.routerName', 'routerName'),
    item('removes app.head()', 'head'),
    item('removes app.handleEvent()', 'handleEvent'),
    item('removes req.cookie()', 'HonoRequest', 'cookie'),
    item('removes req.headers()', 'HonoRequest', 'headers'),
    item('removes req.body()', 'HonoRequest', 'body'),
    item('removes req.bodyUsed()', 'HonoRequest', 'bodyUsed'),
    item('removes req.integrity()', 'HonoRequest', 'integrity'),
    item('removes req.keepalive()', 'HonoRequest', 'keepalive'),
    item('removes req.referrer()', 'HonoRequest', 'referrer'),
    item('removes req.signal()', 'HonoRequest', 'signal'),
    item('serveStatic for Cloudflare Workers requires manifest', 'serveStatic', 'manifest'),
    item('docType of the JSX renderer is true by default', 'docType'),
    item('FC does not pass children', 'FC'),
    item('some MIME types are removed', 'mime'),
    item('types for chaining routes with middleware', 'HandlerInterface'),
    item('types for the validator', 'validator'),
  ],
};

const commander: UpgradeGuide = {
  package: 'commander',
  source: 'https://github.com/tj/commander.js/releases/tag/v15.0.0',
  items: [
    item('only a lone --no-* option sets the default to true', '--no-'),
    item('ECMAScript modules only', 'module'),
    item('requires Node.js 22.12', 'node', '22.12.0'),
    item('removes commander/esm.mjs', 'esm.mjs'),
  ],
};

const ai: UpgradeGuide = {
  package: 'ai',
  source: 'https://github.com/vercel/ai/blob/main/content/docs/08-migration-guides/23-migration-guide-7-0.mdx',
  items: [
    item('ECMAScript modules only', 'CommonJS'),
    item('OpenTelemetry moved to a package', '@ai-sdk/otel'),
    item('telemetry is on when an integration is registered', 'telemetry', 'isEnabled'),
    item('tracer of experimental_telemetry is removed', 'tracer'),
    item('experimental_telemetry is renamed to telemetry', 'experimental_telemetry', 'telemetry'),
    item('experimental_context became context', 'experimental_context'),
    item('shared data moved to runtimeContext', 'runtimeContext'),
    item('values for tools come from toolsContext', 'toolsContext'),
    item('removes experimental_output', 'experimental_output'),
    item('removes experimental_activeTools', 'experimental_activeTools'),
    item('removes experimental_prepareStep', 'experimental_prepareStep'),
    item('removes ToolCallOptions', 'ToolCallOptions'),
    item('removes isToolOrDynamicToolUIPart', 'isToolOrDynamicToolUIPart'),
    item('removes the part type media', 'media', 'file-data'),
    item('deprecates image-data', 'image-data'),
    item('deprecates image-url', 'image-url'),
    item('deprecates file-id', 'file-id'),
    item('adds the part type reasoning-file', 'reasoning-file'),
    item('reasoning replaces settings of providers', 'reasoning', 'providerOptions'),
    item('renames CallSettings', 'CallSettings'),
    item('renames prepareCallSettings', 'prepareCallSettings'),
    item('renames stepCountIs', 'stepCountIs'),
  ],
};

export const DEVELOPMENT_GUIDES: readonly UpgradeGuide[] = [zod, hono, commander, ai];

// The scanned content of a declaration file: declarations, imports and exports of the file and of the scopes inside it.

import type { DeclarationTokens } from './declaration-tokens.ts';
import type { DeclaredKind } from './scan-statement.ts';

export interface Declared {
  /** `default` if the declaration has no name. */
  readonly name: string;
  readonly kind: DeclaredKind;
  /** The tokens of the declaration, without `export` and `declare`. */
  readonly from: number;
  readonly to: number;
  readonly doc: { readonly start: number; readonly end: number } | null;
  /** Index of the bracket that opens the members of a class, an interface or an enum. */
  readonly body: number | null;
  /** The declarations inside a namespace. */
  readonly scope: ModuleScope | null;
}

/** The target of an imported or exported name: a name of another module, all of it (`*`), or a local name such as `A.B`. */
export interface NameOrigin {
  readonly module: string | null;
  readonly name: string;
}

/** The statements of a file, of a namespace, or of a `declare module` block. */
export interface ModuleScope {
  readonly declared: Map<string, Declared[]>;
  readonly imports: Map<string, NameOrigin>;
  readonly exports: Map<string, NameOrigin>;
  /** Modules of `export * from`. */
  readonly stars: string[];
  /** The name of `export = name`. */
  exportAssigned: string | null;
  /** Without any export declaration, everything in an ambient scope is exported. */
  hasExportDeclaration: boolean;
  readonly exportedNames: Set<string>;
}

export interface DeclarationModule {
  readonly path: string;
  readonly tokens: DeclarationTokens;
  readonly top: ModuleScope;
  /** False for a script, whose declarations are global. */
  readonly isModule: boolean;
  /** Scopes of `declare module "name"`, by name as written. */
  readonly ambient: ReadonlyMap<string, readonly ModuleScope[]>;
  /** Scopes of `declare global`, with the scope around each. */
  readonly globals: ReadonlyArray<{ readonly scope: ModuleScope; readonly outer: ModuleScope }>;
  /** Modules that are only imported for their declarations. */
  readonly sideEffects: readonly string[];
}

export function createScope(): ModuleScope {
  return {
    declared: new Map(),
    imports: new Map(),
    exports: new Map(),
    stars: [],
    exportAssigned: null,
    hasExportDeclaration: false,
    exportedNames: new Set(),
  };
}

const MAX_NAME_PARTS = 100;

/** `namespace A.B { … }` declares `B` inside `A`. */
export function addDeclared(scope: ModuleScope, declared: Declared): void {
  if (declared.name.split('.', MAX_NAME_PARTS).length === MAX_NAME_PARTS) return;
  const dot = declared.name.indexOf('.');
  const outer = dot === -1 ? declared.name : declared.name.slice(0, dot);
  const named = scope.declared.get(outer) ?? [];
  scope.declared.set(outer, named);
  if (dot === -1) {
    named.push(declared);
    return;
  }
  const nested = createScope();
  addDeclared(nested, { ...declared, name: declared.name.slice(dot + 1) });
  named.push({ ...declared, name: outer, scope: nested });
}

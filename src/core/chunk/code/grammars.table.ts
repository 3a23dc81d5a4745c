// The grammars of the code chunker, pinned by file and hash, and which nodes are definitions in each language. A changed
// file requires a new version of the chunker.

export interface Grammar {
  readonly file: string;
  readonly sha256: string;
  /** Nodes that define something with a name. */
  readonly definitions: readonly string[];
  /** Nodes that only wrap a definition: an export, a decorator, a template. */
  readonly wrappers: readonly string[];
  /** Nodes whose members become separate chunks if they are too long together. */
  readonly containers: readonly string[];
  /** Nodes inside a container that contain its members. */
  readonly bodies: readonly string[];
}

/** The package that ships the grammar files; also named in the error for a missing grammar. */
export const grammarPackage = '@vscode/tree-sitter-wasm@0.3.1';

const script = {
  definitions: [
    'function_declaration',
    'generator_function_declaration',
    'function_signature',
    'class_declaration',
    'abstract_class_declaration',
    'interface_declaration',
    'type_alias_declaration',
    'enum_declaration',
    'internal_module',
    'module',
    'lexical_declaration',
    'method_definition',
    'abstract_method_signature',
  ],
  wrappers: ['export_statement', 'ambient_declaration', 'expression_statement'],
  containers: ['class_declaration', 'abstract_class_declaration', 'internal_module', 'module'],
  bodies: ['class_body', 'statement_block'],
};

const cFamily = {
  definitions: [
    'function_definition',
    'class_specifier',
    'struct_specifier',
    'union_specifier',
    'enum_specifier',
    'type_definition',
    'namespace_definition',
    'alias_declaration',
    'concept_definition',
  ],
  wrappers: ['template_declaration'],
  containers: [
    'namespace_definition',
    'class_specifier',
    'struct_specifier',
    'linkage_specification',
    'preproc_ifdef',
    'preproc_if',
  ],
  bodies: ['declaration_list', 'field_declaration_list'],
};

const cpp: Grammar = {
  file: 'tree-sitter-cpp.wasm',
  sha256: '77a65bd42f43c2dcd69af40c12a6c32d6ed81d360c025e9feb28911f8339fd69',
  ...cFamily,
};

const javascript: Grammar = {
  file: 'tree-sitter-javascript.wasm',
  sha256: '5fb488d0cabb4775a594bab85682de5ad6ce83c0d6ac997a9f82dd084d571240',
  ...script,
};

const tsx: Grammar = {
  file: 'tree-sitter-tsx.wasm',
  sha256: '79e5da75ea62855a0cd67177685f0164eac87d5f630b3cbe1e0a099751ad30f8',
  ...script,
};

const shell: Grammar = {
  file: 'tree-sitter-bash.wasm',
  sha256: 'a14e9ed880b2c3f16cd00c796c38d237a3e9b028bdec5b4315c76976e67b01ca',
  definitions: ['function_definition'],
  wrappers: [],
  containers: [],
  bodies: [],
};

/** By the language names that documents carry. C has no grammar of its own there and is read as C++. */
export const grammars: Readonly<Record<string, Grammar>> = {
  javascript,
  jsx: javascript,
  typescript: {
    file: 'tree-sitter-typescript.wasm',
    sha256: '778025db5a8be0e70f8ccc3671e486dfeddd048c25d9e8a70c26de2e1bf6f97d',
    ...script,
  },
  tsx,
  python: {
    file: 'tree-sitter-python.wasm',
    sha256: '16108b50df4ee9a30168794252ab55e7c93bfc5765d7fa0aa3e335752c515f47',
    definitions: ['function_definition', 'class_definition', 'type_alias_statement'],
    wrappers: ['decorated_definition'],
    containers: ['class_definition'],
    bodies: ['block'],
  },
  go: {
    file: 'tree-sitter-go.wasm',
    sha256: '9504573f352b20be7f2f1911754d710622aedc15afff16d5ed8fb5645681aee7',
    definitions: ['function_declaration', 'method_declaration', 'type_declaration'],
    wrappers: [],
    containers: [],
    bodies: [],
  },
  rust: {
    file: 'tree-sitter-rust.wasm',
    sha256: '0dac14947cb04d94466e3df659f80a4e264c216a60b3eda175eae4cf12ed7a8d',
    definitions: [
      'function_item',
      'function_signature_item',
      'struct_item',
      'enum_item',
      'union_item',
      'trait_item',
      'impl_item',
      'mod_item',
      'macro_definition',
      'type_item',
      'const_item',
      'static_item',
    ],
    wrappers: [],
    containers: ['trait_item', 'impl_item', 'mod_item'],
    bodies: ['declaration_list'],
  },
  java: {
    file: 'tree-sitter-java.wasm',
    sha256: '4fdeac4ca6ca089f06c6f7e562abcac1733cd465728cc7031ebb73c2019122c4',
    definitions: [
      'class_declaration',
      'interface_declaration',
      'enum_declaration',
      'record_declaration',
      'annotation_type_declaration',
      'method_declaration',
      'constructor_declaration',
    ],
    wrappers: [],
    containers: ['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration'],
    bodies: ['class_body', 'interface_body', 'enum_body', 'enum_body_declarations'],
  },
  c: cpp,
  cpp,
  csharp: {
    file: 'tree-sitter-c-sharp.wasm',
    sha256: 'd12d85996c25957b4c1b71e26db2d7cc8a294997b60642e9c2a3b031b2c66dd3',
    definitions: [
      'namespace_declaration',
      'class_declaration',
      'struct_declaration',
      'interface_declaration',
      'enum_declaration',
      'record_declaration',
      'delegate_declaration',
      'method_declaration',
      'constructor_declaration',
      'property_declaration',
    ],
    wrappers: [],
    containers: [
      'namespace_declaration',
      'class_declaration',
      'struct_declaration',
      'interface_declaration',
      'record_declaration',
    ],
    bodies: ['declaration_list'],
  },
  ruby: {
    file: 'tree-sitter-ruby.wasm',
    sha256: '09a96427d7c72f0613ed470cd9812223fc4a91d6a9c025c0235cc6bd59ff96f4',
    definitions: ['method', 'singleton_method', 'class', 'module'],
    wrappers: [],
    containers: ['class', 'module'],
    bodies: ['body_statement'],
  },
  php: {
    file: 'tree-sitter-php.wasm',
    sha256: 'd4df6a6ff08c87c3ec4f9cbb785fe09998a0cb570e03f57d7b19b3acfb146aa7',
    definitions: [
      'function_definition',
      'class_declaration',
      'interface_declaration',
      'trait_declaration',
      'enum_declaration',
      'method_declaration',
      'namespace_definition',
    ],
    wrappers: [],
    containers: [
      'class_declaration',
      'interface_declaration',
      'trait_declaration',
      'enum_declaration',
      'namespace_definition',
    ],
    bodies: ['declaration_list', 'enum_declaration_list', 'compound_statement'],
  },
  shell,
  bash: shell,
  sh: shell,
};

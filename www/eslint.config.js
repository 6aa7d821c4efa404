import js from '@eslint/js';
import lit from 'eslint-plugin-lit';
import tseslint from 'typescript-eslint';

/** Modules of `src/state` that have the store: components import neither it nor them. */
const WITH_STORE = ['controllers', 'alike', 'download', 'measuring', 'neighbours', 'set-distances'];
const STORE = '/state/(store|controllers)$';
/** What has the store besides; its types may be named. */
const PAGE = `/(state/(${WITH_STORE.slice(1).join('|')})|shell/.*|views/.*)$`;
const APART = 'A component gets what it shows as properties and says by events what the reader wants: see src/components/events.ts.';

export default tseslint.config(
  { ignores: ['dist/**', 'dist-single/**', 'dist-embed/**', 'public/**', 'src/engine/pkg/**', 'src/engine/types/**', 'node_modules/**'] },
  js.configs.recommended,
  {
    files: ['src/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, lit.configs['flat/recommended']],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Template literals in Lit call methods as listeners: `@click=${this.onClick}` is bound by Lit.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'max-lines': ['error', 800],
      'max-lines-per-function': ['error', 80],
    },
  },
  {
    files: ['src/components/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: STORE, message: APART },
            { regex: PAGE, allowTypeImports: true, message: APART },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        ...[STORE, PAGE].map((path) => ({ selector: `ImportExpression > Literal[value=/${path.replaceAll('/', '\\u002F')}/]`, message: APART })),
      ],
    },
  },
  {
    files: ['src/state/*.ts'],
    ignores: ['src/state/store.ts', ...WITH_STORE.map((name) => `src/state/${name}.ts`)],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `/(store|${WITH_STORE.join('|')})$`,
              message: 'Components import this module: name it in WITH_STORE of eslint.config.js, or give it what it needs.',
            },
          ],
        },
      ],
    },
  },
  { files: ['*.ts', '*.js', 'build/*.ts'], extends: [tseslint.configs.strict] },
);

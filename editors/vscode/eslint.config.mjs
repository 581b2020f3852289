// The rules of typescript-eslint's recommended set, with those that need to know the types.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const runner = { from: 'package', package: 'node:test', name: 'test' };

export default defineConfig(
    { ignores: ['out/', 'bin/'] },
    ...tseslint.configs.recommendedTypeChecked,
    {
        languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
        linterOptions: { reportUnusedDisableDirectives: 'error' },
        // The runner waits for its tests by itself.
        rules: { '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [runner] }] },
    },
    // The scripts are no TypeScript: nothing is known of their types.
    { files: ['**/*.mjs'], extends: [tseslint.configs.disableTypeChecked] },
);

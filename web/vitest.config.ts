import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { areas } from './build/areas.ts'

/** What a page load asks or opens once, these files meet anew: the public setting, the one live connection, the lists of a long form. */
const needOwnPage = ['lib/live', 'member-form', 'sign-up-closed'].map((name) => `test/${name}.test.tsx`)
const files = ['test/**/*.test.{ts,tsx}', 'src/**/*.test.{ts,tsx}']

export default defineConfig({
  plugins: [react(), areas()],
  resolve: {
    // Not by the condition "source": Node would take it for other packages too, and meet their TypeScript.
    alias: [
      {
        find: /^@neuroloom\/contract\/((?!wire|locales)[\w/-]+)$/,
        replacement: `${import.meta.dirname}/../contract/src/$1.ts`,
      },
    ],
  },
  // The network texts of the contract stand beside this room; started from above, Vite would not read them.
  server: { fs: { allow: [`${import.meta.dirname}/..`] } },
  test: {
    environment: 'happy-dom',
    // A desk's window: narrower ones are tested in Chromium.
    environmentOptions: { happyDOM: { width: 1440, height: 900 } },
    setupFiles: ['test/setup.ts'],
    // The first test of a file pays for loading antd; a shared machine may be ten times slower.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    projects: [
      // Loading antd anew for each file costs more than most tests.
      { extends: true, test: { name: 'shared page', include: files, exclude: needOwnPage, isolate: false } },
      { extends: true, test: { name: 'own page', include: needOwnPage } },
    ],
  },
})

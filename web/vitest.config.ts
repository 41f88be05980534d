import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { areas } from './build/areas.ts'

/**
 * What a page load asks or opens once, these files meet anew: the public setting, the lists of a long form, and the one live
 * connection. Files that stand in for its server would speak to a line that another file opened.
 */
const needOwnPage = [
  ...['lib/live', 'accounts/member-form', 'sign-up-closed'],
  'files/conversions',
  'files/prepare',
  'files/texts',
  'flow/settle',
  'flow/studies',
  'office/modules-off',
  'projects/project-detail',
  'projects/project-sharing',
  'projects/projects',
  'runs/cross-validation',
  'runs/run-news',
  'runs/runs-page',
  'runs/runs-queue',
  'site/registration-closed',
  'social/chats',
  'social/rounds',
  'toolbox/algebra',
  'toolbox/own-tools',
].map((name) => `test/${name}.test.tsx`)
/** Files that draw nothing are tested in Node, where they begin sooner. These need a page all the same. */
const needPage = [
  ...['labelling/step-queue', 'lib/api', 'lib/closing', 'lib/key-link', 'lib/language'],
  ...['networks/dripe-saving', 'site/site-search', 'social/messages', 'toolbox/statistics-table'],
].map((name) => `test/${name}.test.ts`)
const isLong = process.env.TESTS === 'long'
const longFiles = ['test/**/*.long.test.{ts,tsx}']
const filesOf = (ending: string) =>
  isLong ? [`test/**/*.long.test.${ending}`] : [`{test,src}/**/*.test.${ending}`]

export default defineConfig({
  plugins: [react(), areas()],
  resolve: {
    // Not by our condition: packages that Node loads by itself would meet TypeScript.
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
    environmentOptions: {
      happyDOM: {
        // A desk's window: narrower ones are tested in Chromium.
        width: 1440,
        height: 900,
        // A link to a file that is saved takes no page away: what files have in common would have no address any more.
        settings: { navigation: { disableFallbackToSetURL: true } },
      },
    },
    // The first test of a file pays for loading antd; a shared machine may be ten times slower.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    projects: [
      // Loading antd anew for each file costs more than most tests.
      {
        extends: true,
        test: {
          name: 'shared page',
          setupFiles: ['test/setup.ts'],
          include: [...filesOf('tsx'), ...(isLong ? [] : needPage)],
          exclude: isLong ? [] : [...needOwnPage, ...longFiles],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'own page', setupFiles: ['test/setup.ts'], include: isLong ? [] : needOwnPage },
      },
      {
        extends: true,
        test: {
          name: 'no page',
          include: filesOf('ts'),
          exclude: isLong ? [] : [...needPage, ...longFiles],
          environment: 'node',
          setupFiles: ['test/setup-plain.ts'],
          isolate: false,
        },
      },
    ],
  },
})

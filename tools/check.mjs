/** Format, lint (with the borders between rooms), dead code and types of the whole checkout; `--fix` repairs what can be repaired. */
import { pathToFileURL } from 'node:url'
import { run } from './run.mjs'
import { ensureEngine, ensurePackages, main, SetupError } from './setup.mjs'

/** Ends a check that hangs; no measure of one that works. */
const LIMIT_MS = 15 * 60_000

/** Two rows of commands that run side by side; within a row the later ones build on the earlier. */
const rowsOf = (isFix) => [
  [
    [
      'TypeScript format and lint',
      'npx',
      ['biome', 'check', '--error-on-warnings', ...(isFix ? ['--write'] : [])],
    ],
    [
      'style sheets',
      'npx',
      ['stylelint', '--config', 'web/stylelint.config.mjs', ...(isFix ? ['--fix'] : []), 'web/src/**/*.css'],
    ],
    [
      'Python format and lint',
      'node',
      ['tools/ruff.mjs', ...(isFix ? ['--fix'] : []), 'engine', 'bench', 'contract/wire'],
    ],
    [
      'Python types',
      'npx',
      ['pyright', '--project', 'engine/pyrightconfig.json', '--pythonpath', ensureEngine()],
    ],
  ],
  [
    ['types, contract and server', 'npx', ['tsc', '-b', 'contract', 'server']],
    ...['contract/test', 'server/test', 'web', 'e2e', 'bench'].map((path) => [
      `types, ${path}`,
      'npx',
      ['tsc', '--noEmit', '-p', path],
    ]),
    ['borders between rooms', 'node', ['tools/walls.mjs']],
    ['habits of short tests', 'node', ['tools/test-habits.mjs']],
    ['licences of what ships', 'node', ['tools/licences.mjs', ...(isFix ? [] : ['--check'])]],
    ['dead code', 'npx', ['knip', '--config', 'tools/knip.json', '--no-progress']],
  ],
]

/** Names of what failed, and the seconds that each took. */
export async function check(isFix = false) {
  const results = await Promise.all(rowsOf(isFix).map(runRow))
  const files = results.flat()
  return { failed: files.filter(({ isGood }) => !isGood).map(({ name }) => name), files }
}

async function runRow(commands) {
  const results = []
  for (const [name, command, args] of commands) {
    const start = performance.now()
    const { status, output } = await run(command, args, { stdout: 'pipe', stderr: 'pipe', limitMs: LIMIT_MS })
    const isGood = status === 0
    process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${name}\n${isGood ? '' : `${output}\n`}`)
    results.push({ name, isGood, seconds: (performance.now() - start) / 1000 })
  }
  return results
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    ensurePackages()
    const { failed } = await check(process.argv.includes('--fix'))
    if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(', ')}.`)
  })
}

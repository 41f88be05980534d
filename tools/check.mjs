/** Format, lint (with the borders between rooms), dead code and types of the whole checkout; `--fix` repairs what can be repaired. */
import { pathToFileURL } from 'node:url'
import { run } from './run.mjs'
import { ensureEngine, ensurePackages, main, SetupError } from './setup.mjs'

/** Ends a check that hangs; no measure of one that works. */
const LIMIT_MS = 15 * 60_000

/**
 * What the type checker learned is kept between runs. Tests, journeys and benches read the same sources: at once they take
 * a third of the time that they take one after the other.
 */
const typesOf = ([name, path]) => [
  `types, ${name}`,
  'npx',
  ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `.cache/types/${path}.json`, '-p', path],
]

/**
 * Two rows of commands that run side by side; within a row the later ones build on the earlier. With `files` the slow
 * ones look at these alone, or stay away where none of these is theirs.
 */
function rowsOf(isFix, files) {
  const isWhole = files === null
  const has = (pattern) => isWhole || files.some((file) => pattern.test(file))
  const formatted = isWhole ? [] : files.filter((file) => /\.(tsx?|mjs|json|css)$/.test(file))
  return [
    [
      (isWhole || formatted.length > 0) && [
        'TypeScript format and lint',
        'npx',
        [
          'biome',
          'check',
          '--error-on-warnings',
          '--no-errors-on-unmatched',
          ...(isFix ? ['--write'] : []),
          ...formatted,
        ],
      ],
      has(/\.css$/) && [
        'style sheets',
        'npx',
        [
          'stylelint',
          '--config',
          'web/stylelint.config.mjs',
          ...(isFix ? ['--fix'] : []),
          'web/src/**/*.css',
        ],
      ],
      has(/\.py$/) && [
        'Python format and lint',
        'node',
        ['tools/ruff.mjs', ...(isFix ? ['--fix'] : []), 'engine', 'bench', 'contract/wire'],
      ],
      has(/\.py$/) && [
        'Python types',
        'npx',
        ['pyright', '--project', 'engine/pyrightconfig.json', '--pythonpath', ensureEngine()],
      ],
      ['habits of short tests', 'node', ['tools/test-habits.mjs']],
      has(/package(-lock)?\.json$/) && [
        'licences of what ships',
        'node',
        ['tools/licences.mjs', ...(isFix ? [] : ['--check'])],
      ],
    ],
    [
      ['types, contract and server', 'npx', ['tsc', '-b', 'contract', 'server']],
      ...[
        ['tests, e2e and bench', 'tsconfig.tests.json'],
        ['web', 'web'],
      ].map(typesOf),
      ['borders between rooms', 'node', ['tools/walls.mjs']],
      ['dead code', 'npx', ['knip', '--config', 'tools/knip.json', '--no-progress']],
    ],
  ].map((row) => row.filter(Boolean))
}

/** Names of what failed, and the seconds that each took; `files` are those that changed, null for all. */
export async function check({ isFix = false, files: changed = null } = {}) {
  const results = await Promise.all(rowsOf(isFix, changed).map(runRow))
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
    const { failed } = await check({ isFix: process.argv.includes('--fix') })
    if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(', ')}.`)
  })
}

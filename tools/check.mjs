/** Format, lint (with the borders between rooms), dead code and types of the whole checkout; `--fix` repairs what can be repaired. */
import { spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { ensureEngine, ensurePackages, main, root, SetupError } from './setup.mjs'

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
    const { status, output } = await run(command, args)
    const isGood = status === 0
    process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${name}\n${isGood ? '' : `${output}\n`}`)
    results.push({ name, isGood, seconds: (performance.now() - start) / 1000 })
  }
  return results
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('error', (error) => resolve({ status: 1, output: String(error) }))
    child.on('close', (status) => resolve({ status, output }))
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    ensurePackages()
    const { failed } = await check(process.argv.includes('--fix'))
    if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(', ')}.`)
  })
}

/** Format, lint (with the borders between rooms), dead code and types of the whole checkout; `--fix` repairs what can be repaired. */
import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { ensureEngine, ensurePackages, main, root, SetupError } from './setup.mjs'

const checks = (isFix) => [
  [
    'TypeScript format and lint',
    'npx',
    ['biome', 'check', '--error-on-warnings', ...(isFix ? ['--write'] : [])],
  ],
  ['Python format and lint', 'node', ['tools/ruff.mjs', ...(isFix ? ['--fix'] : []), 'engine', 'bench']],
  ['dead code', 'npx', ['knip', '--config', 'tools/knip.json', '--no-progress']],
  ['types, contract and server', 'npx', ['tsc', '-b', 'contract', 'server']],
  ...['contract/test', 'server/test', 'web', 'e2e', 'bench'].map((path) => [
    `types, ${path}`,
    'npx',
    ['tsc', '--noEmit', '-p', path],
  ]),
  [
    'Python types',
    'npx',
    ['pyright', '--project', 'engine/pyrightconfig.json', '--pythonpath', ensureEngine()],
  ],
]

export function check(isFix = false) {
  const failed = []
  for (const [name, command, args] of checks(isFix)) {
    const result = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
    const isGood = result.status === 0
    process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${name}\n`)
    if (!isGood) {
      process.stdout.write(`${result.stdout}${result.stderr}\n`)
      failed.push(name)
    }
  }
  return failed
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(() => {
    ensurePackages()
    const failed = check(process.argv.includes('--fix'))
    if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(', ')}.`)
  })
}

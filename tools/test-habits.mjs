/**
 * Refuses, in tests of the short run, the habits by which tests failed by chance: part of `npm run check`. Long tests
 * (`*.long.test.ts`, `e2e/long/`) may use real clocks. Where a short test needs one of them, the line before says why:
 * `// habit: <reason>`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

const habits = [
  {
    pattern: /^\s*\}, \d[\d_]{3,}\)$|\b(?:it|test|beforeAll|beforeEach)\b.*\{ timeout: /,
    why: "A limit of its own: the room's ends what hangs, and a shorter one fails on a slow machine.",
  },
  {
    pattern: /\btimeout: (?:\d{1,4}|[1-5]\d_?\d{3})\b/,
    why: 'Waits less than a minute: a busy machine takes longer. Leave the limit out.',
  },
  {
    pattern: /\bwaitForTimeout\(/,
    why: 'Sleeps: wait for what a person would see.',
  },
  {
    pattern: /=> setTimeout\(\w+, [^)]/,
    why: 'Sleeps: wait for what is needed.',
  },
  {
    pattern: /\bnetworkidle\b/,
    why: 'A live connection never rests: wait for what is needed.',
  },
  {
    pattern: /\bperformance\.now\(\)/,
    why: 'Measures time: timings belong into bench/ or the long run.',
  },
]

const listed = spawnSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'contract', 'server', 'web', 'e2e'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
const files = listed.stdout
  .split('\n')
  .filter((name) => /\.test\.tsx?$/.test(name) && !/\.long\.test\.|^e2e\/long\//.test(name))
  .filter((name) => existsSync(join(root, name)))
const found = files.flatMap((name) => {
  const lines = readFileSync(join(root, name), 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (/^\s*\/\/ habit: \S/.test(lines[index - 1] ?? '')) return []
    return habits
      .filter(({ pattern }) => pattern.test(line))
      .map(({ why }) => `${name}:${index + 1}: ${why}\n    ${line.trim()}`)
  })
})
if (files.length < 300) found.push(`Only ${files.length} test files were found.`)
process.stdout.write(found.map((line) => `${line}\n`).join(''))
process.exitCode = found.length > 0 ? 1 : 0

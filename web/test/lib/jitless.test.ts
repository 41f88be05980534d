import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { script } from '../../build/first-script.ts'

/** What a page gives to its first script. */
const page = `globalThis.document = { documentElement: { dataset: {}, style: {} } }
globalThis.location = { pathname: '/', search: '', hash: '' }
globalThis.sessionStorage = {}
globalThis.localStorage = {}
Object.defineProperty(globalThis, 'navigator', { value: { languages: [] } })
globalThis.addEventListener = () => undefined
`
const worker = readFileSync(join(import.meta.dirname, '../../src/lib/jitless.ts'), 'utf8')

/** How often a schema tries to compile code in a program of its own, after `first` was run there. */
function triesAfter(first: string): number {
  const program = `${page};(0, eval)(${JSON.stringify(first)})
let tries = 0
globalThis.Function = function () { tries += 1; throw new EvalError('forbidden') }
const z = await import('zod')
z.object({ id: z.string() }).safeParse({ id: 'a' })
process.stdout.write(String(tries))`
  const cwd = join(import.meta.dirname, '../../../contract')
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd, encoding: 'utf8' }),
  )
}

it.each([
  ['of a page, after its first script, compile nothing', script, false],
  ['of a worker, after it was told, compile nothing', worker, false],
  ['try to compile unless they are told not to', '', true],
])('schemas %s', (_, first, isTried) => {
  expect(triesAfter(first) > 0).toBe(isTried)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { break_, echo, fill, spin, who } from '../../../test/aside-script.ts'
import { createLog } from '../log.ts'
import { type Aside, createAside } from './aside.ts'

let aside: Aside
beforeAll(() => {
  const script = { from: import.meta.url, name: '../../../test/aside-script' }
  aside = createAside({ log: createLog('silent', 'test'), script, workMs: 1000, memoryMegabytes: 64 })
})
afterAll(() => aside.close())

it('answers, tells what broke, and keeps its process for the next question', async () => {
  expect(await aside.ask('a', echo, { said: 'Привет, 你好' })).toBe('Привет, 你好')
  const first = await aside.ask('a', who, {})
  expect(first).not.toBe(process.pid)
  await expect(aside.ask('a', break_, {})).rejects.toThrow('it broke')
  expect(await aside.ask('b', who, {})).toBe(first)
})

it('a work without end is ended, and one member cannot stop another', async () => {
  const endless = aside.ask('a', spin, {}).catch((error: unknown) => error)
  const other = aside.ask('b', echo, { said: 'still here' })
  expect(await other).toBe('still here')
  expect(await endless).toMatchObject({ failure: 'work_too_large' })
  expect(await aside.ask('a', echo, { said: 'again' })).toBe('again')
})

it('a work that takes too much memory ends its own process alone', async () => {
  await expect(aside.ask('a', fill, {})).rejects.toMatchObject({ failure: 'work_too_large' })
  expect(await aside.ask('a', echo, { said: 'again' })).toBe('again')
})

it('sends a member away who has too many in line', async () => {
  const asked = Array.from({ length: 6 }, () =>
    aside.ask('a', echo, { said: 'one' }).catch(({ failure }: { failure: string }) => failure),
  )
  expect((await Promise.all(asked)).sort()).toEqual([...new Array(5).fill('one'), 'too_much_at_once'])
})

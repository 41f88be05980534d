import { render } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { useQuietFetch } from '../../src/lib/quiet.ts'

type Part = Parameters<typeof useQuietFetch>[0][number]

/** Moments in which the page has nothing to do. */
let idle: (() => void)[]
beforeEach(() => {
  idle = []
  vi.stubGlobal('requestIdleCallback', (work: () => void) => idle.push(work))
  // Elsewhere tests save data.
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('cancelIdleCallback', (id: number) => delete idle[id - 1])
})
const rest = () => idle.at(-1)?.()

function Page({ parts }: { parts: readonly Part[] }) {
  useQuietFetch(parts)
  return null
}

const makeParts = (loaded: string[], names: readonly string[]): Part[] =>
  names.map((name) => ({
    load: async () => {
      loaded.push(name)
      if (name === 'lost') throw new Error(name)
    },
  }))

it('fetches the parts that come next one after the other, each in a quiet moment', async () => {
  const loaded: string[] = []
  render(<Page parts={makeParts(loaded, ['cost', 'versions'])} />)
  expect(loaded).toEqual([])
  rest()
  expect(loaded).toEqual(['cost'])
  await expect.poll(() => idle.length).toBe(2)
  rest()
  expect(loaded).toEqual(['cost', 'versions'])
})

it('ends in silence at a part that does not come, and when the page is left', async () => {
  const loaded: string[] = []
  render(<Page parts={makeParts(loaded, ['lost', 'versions'])} />)
  rest()
  await Promise.resolve()
  expect([loaded, idle.length]).toEqual([['lost'], 1])
  const { unmount } = render(<Page parts={makeParts(loaded, ['train'])} />)
  unmount()
  rest()
  expect(loaded).toEqual(['lost'])
})

it('fetches nothing ahead for who saves data', () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  render(<Page parts={makeParts([], ['cost'])} />)
  expect(idle).toEqual([])
})

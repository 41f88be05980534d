import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Demo } from '../src/features/demo/demo.tsx'
import type { Reply, Request } from '../src/features/demo/network.ts'
import { SIZE } from '../src/features/demo/pictures.ts'
import { setLanguage } from '../src/lib/i18n.ts'
import { renderPart } from './render.tsx'

it('loads nothing before it is asked to', async () => {
  const { started } = standIn()
  renderPart(<Demo />)
  expect(await screen.findByRole('button', { name: 'Try it' })).toBeInTheDocument()
  expect(screen.getByRole('img', { name: /fluorescence/ })).toHaveAttribute('width', '768')
  expect(screen.queryByRole('button', { name: 'Add a cell' })).not.toBeInTheDocument()
  expect(started()).toBe(0)
})

it('says how many cells the network found, and asks again for every cell that is added', async () => {
  const { asked, answer } = standIn()
  const person = await press()
  expect(await screen.findByRole('status')).toHaveTextContent('being loaded')
  await waitFor(() => expect(asked()).toHaveLength(1))
  expect(screen.getByRole('button', { name: 'Add a cell' })).toHaveFocus()
  answer(boxes(2), 41.4)
  expect(await screen.findByText('2 cells found in 41 ms on this computer.')).toBeInTheDocument()
  await person.click(screen.getByRole('button', { name: 'Add a cell' }))
  expect(asked()).toHaveLength(2)
  expect(asked()[1]).not.toEqual(asked()[0])
  answer(boxes(1), 40)
  expect(await screen.findByText('1 cell found in 40 ms on this computer.')).toBeInTheDocument()
})

it('sends only the newest picture when several come while it is busy', async () => {
  const { asked, answer } = standIn()
  const person = await press()
  await waitFor(() => expect(asked()).toHaveLength(1))
  const add = await screen.findByRole('button', { name: 'Add a cell' })
  for (let times = 0; times < 3; times++) await person.click(add)
  expect(asked()).toHaveLength(1)
  answer(boxes(1), 40)
  await waitFor(() => expect(asked()).toHaveLength(2))
  answer(boxes(4), 40)
  expect(await screen.findByText(/^4 cells/)).toBeInTheDocument()
  expect(asked()).toHaveLength(2)
})

it('says so when the network cannot run here', async () => {
  const { fail } = standIn()
  await press()
  await screen.findByRole('status')
  fail()
  expect(await screen.findByRole('alert')).toHaveTextContent('cannot run in this browser')
})

it('speaks Russian and Chinese', async () => {
  standIn()
  renderPart(<Demo />)
  await screen.findByRole('button', { name: 'Try it' })
  await setLanguage('ru')
  expect(await screen.findByRole('button', { name: 'Попробовать' })).toBeInTheDocument()
  await setLanguage('zh')
  expect(await screen.findByRole('button', { name: '试一试' })).toBeInTheDocument()
})

async function press() {
  renderPart(<Demo />)
  const person = userEvent.setup()
  await person.click(await screen.findByRole('button', { name: 'Try it' }))
  return person
}

/** Happy-dom has no workers; the network itself is tested in demo-network.test.ts. */
function standIn() {
  const workers: StandIn[] = []
  class StandIn {
    asked: Uint8ClampedArray[] = []
    onmessage: (event: { data: Reply }) => void = () => undefined
    onerror: (event: { message: string }) => void = () => undefined
    constructor() {
      workers.push(this)
    }
    postMessage({ pixels }: Request) {
      this.asked.push(pixels)
    }
    terminate() {
      this.onmessage = () => undefined
    }
  }
  vi.stubGlobal('Worker', StandIn)
  const current = () => {
    const worker = workers.at(-1)
    if (!worker) throw new Error('no worker was started')
    return worker
  }
  return {
    started: () => workers.length,
    asked: () => workers.at(-1)?.asked ?? [],
    answer: (probabilities: Float32Array, milliseconds: number) =>
      current().onmessage({ data: { answer: { probabilities, milliseconds } } }),
    fail: () => current().onerror({ message: 'no WebAssembly' }),
  }
}

/** That many squares of certainty, side by side. */
function boxes(count: number): Float32Array {
  return Float32Array.from({ length: SIZE * SIZE }, (_, index) => {
    const [x, y] = [index % SIZE, Math.floor(index / SIZE)]
    return y < 10 && x < 20 * count && x % 20 < 10 ? 1 : 0
  })
}

import type { FoundWeights } from '@neuroloom/contract/toolbox/inspection'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { csvOf, rowsOf } from '../../src/features/toolbox/inspector/table.ts'
import { warningsOf } from '../../src/features/toolbox/inspector/warnings.ts'
import { Inspector } from '../../src/pages/toolbox/inspector.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

type Tensor = FoundWeights['tensors'][number]
const figures = {
  ...{ min: -1, max: 1, mean: 0, std: 0.5, zeros: 0, notFinite: 0, histogram: [1, 2, 1], quiet: 0 },
}
const tensor = (layer: string, changes: Partial<typeof figures> = {}): Tensor => ({
  ...{ name: `${layer}.weight`, layer, format: 'F32', shape: [4, 2], parameters: 8, bytes: 32 },
  figures: { ...figures, ...changes },
  compared: null,
})
const found = (tensors: Tensor[], changes: Partial<FoundWeights> = {}): FoundWeights => ({
  ...{ kind: 'safetensors', layers: [], tensors, tensorCount: tensors.length, parameters: 8, bytes: 32 },
  ...{ external: 0, unmatched: null },
  ...changes,
})

describe('warnings', () => {
  it('name the worst first, and count what would only repeat', () => {
    const weights = [
      tensor('b', { quiet: 0.37 }),
      tensor('c', { zeros: 1, quiet: 1 }),
      ...Array.from({ length: 7 }, (_, k) => tensor(`a${k}`, { notFinite: 2 })),
    ]
    const told = warningsOf(found(weights, { external: 3, unmatched: { here: 1, there: 0 } }))
    expect(told.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 5 }, () => 'notFinite'),
      ...['notFiniteMore', 'empty', 'quiet', 'external', 'unmatched'],
    ])
    expect(told.find(({ name }) => name === 'quiet')?.params).toEqual({ layer: 'b', share: 37 })
  })

  it('say when two are the same, and nothing where nothing is wrong', () => {
    expect(warningsOf(found([tensor('a')]))).toEqual([])
    const same = { ...tensor('a'), compared: { change: 0, cosine: 1 } }
    const unmatched = { here: 0, there: 0 }
    expect(warningsOf(found([same], { unmatched })).map(({ name }) => name)).toEqual(['same'])
  })
})

it('the table keeps the network’s order and hands no formulae to a sheet', () => {
  const layers = ['stem', 'head'].map((name) => ({ name, op: 'conv', output: '4 × 8 × 8' }))
  const plan = layers.map((layer) => ({ ...layer, learn: 8, macs: 10, field: null }))
  const rows = rowsOf(found([tensor('head'), tensor('=cmd()')], { layers }), plan)
  expect(rows.map(({ name, parameters }) => [name, parameters])).toEqual([
    ['stem', 0],
    ['head', 8],
    ['=cmd()', 8],
  ])
  expect(csvOf(rows)).toContain("\r\n'=cmd(),")
})

it('looks again into what was looked into before, and says what is wrong', async () => {
  const received = serve({
    'toolbox/inspect': () => ({
      ...{ refused: null, place: 0, network: null },
      found: found([tensor('stem', { notFinite: 3 })]),
    }),
    'toolbox/record': () => ({
      ...{ id: 'u', tool: 'inspector' as const, title: '', inputs: {}, jobId: null },
      usedAt: '2026-11-20T08:00:00.000Z',
    }),
  })
  const inputs = { first: 'f1', firstFrom: 'file', firstName: 'old.safetensors' }
  renderPart(<Inspector inputs={inputs} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Look into it' }))
  expect(await screen.findByText(/Layer stem holds 3 numbers that are not finite/)).toBeVisible()
  expect(screen.getByRole('cell', { name: 'stem.weight' })).toBeVisible()
  expect(received.find(({ path }) => path === 'toolbox/inspect')?.body).toEqual({
    source: { from: 'file', id: 'f1' },
    other: null,
  })
})

it('says why a file is not opened', async () => {
  serve({
    'toolbox/inspect': () => ({ refused: 'pickle', place: 0, found: null, network: null }),
    'toolbox/record': () => ({
      ...{ id: 'u', tool: 'inspector' as const, title: '', inputs: {}, jobId: null },
      usedAt: '2026-11-20T08:00:00.000Z',
    }),
  })
  const inputs = { first: 'f1', firstFrom: 'file', firstName: 'model.pt' }
  renderPart(<Inspector inputs={inputs} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Look into it' }))
  expect(await screen.findByText(/pickle files .* can run programs/)).toBeVisible()
})

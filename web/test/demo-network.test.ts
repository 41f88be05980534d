import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findCells, loadNetwork, toInput } from '../src/features/demo/inference.ts'
import measured from '../src/features/demo/model/measured.json'
import { overlapOf } from '../src/features/demo/overlap.ts'
import { FIRST_NEW_SEED, type Field, maskOf, render, SIZE, someField } from '../src/features/demo/pictures.ts'
import { countRegions } from '../src/features/demo/regions.ts'

const file = readFileSync(`${import.meta.dirname}/../src/features/demo/model/cells.onnx`)

it('outlines cells in pictures that it was never shown, as well as the page says', async () => {
  const session = await loadNetwork(file)
  const overlaps: number[] = []
  for (let seed = FIRST_NEW_SEED; seed < FIRST_NEW_SEED + 5; seed++) {
    const field = someField(seed)
    const { probabilities } = await findCells(session, render(field), SIZE)
    overlaps.push(overlapOf(probabilities, maskOf(field)))
  }
  expect(Math.min(...overlaps)).toBeGreaterThanOrEqual(measured.worstDice)
  expect(measured.dice).toBeGreaterThan(0.95)
})

it('finds a cell that was added, and no other', async () => {
  const session = await loadNetwork(file)
  const empty: Field = { ...someField(FIRST_NEW_SEED), cells: [] }
  const { cells } = someField(FIRST_NEW_SEED + 1)
  const middle = cells.slice(0, 1).map((cell) => ({ ...cell, x: SIZE / 2, y: SIZE / 2, light: 0.6 }))
  const count = async (field: Field) =>
    countRegions((await findCells(session, render(field), SIZE)).probabilities, SIZE)
  expect(await count(empty)).toBe(0)
  expect(await count({ ...empty, cells: middle })).toBe(1)
})

it('is small enough to be loaded by a visitor', () => {
  expect(file.byteLength).toBeLessThan(512_000)
})

it('gets levels from 0 to 1, as the engine reads an 8-bit picture', () => {
  expect([...toInput([0, 51, 255])]).toEqual([0, Math.fround(0.2), 1])
})

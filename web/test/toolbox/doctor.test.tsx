import type { Examination, Examined } from '@neuroloom/contract/recipes/doctor'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { Doctor } from '../../src/features/recipes/doctor/doctor.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

beforeEach(() => signIn())

const look = { width: 60, height: 40, depth: null, turn: 1, place: null }
const pair = (id: string, width: number, height: number, value: string): Examined => ({
  ...{ image: { id: `i${id}`, path: `images/${id}.png` }, mask: { id: `m${id}`, path: `masks/${id}.png` } },
  ...{ by: 'same', imageLook: look, imageReason: null, maskReason: null },
  maskLook: {
    ...{ ...look, width, height, kind: 'numbers', isLossy: false },
    values: [
      { value: '0', count: 9 },
      { value, count: 3 },
    ],
  },
})
const examination = (more: Partial<Examination>): Examination => ({
  ...{ total: 3, next: null, pairs: [], imagesAlone: [], masksAlone: [], maskIds: ['masks'] },
  folders: [{ id: 'masks', path: 'masks', images: 3 }],
  ...more,
})

const open = () => renderPart(<Doctor folderId="f" name="study" onStarted={() => undefined} />)

it('asks for the next pairs until it is through, asks where it is unsure, and sends what was decided', async () => {
  const received = serve({
    'recipes/examine': ({ from = 0 }) =>
      from === 0
        ? examination({ next: 2, pairs: [pair('a', 60, 40, '1'), pair('b', 40, 60, '1')] })
        : examination({ pairs: [pair('c', 30, 20, '1')], imagesAlone: [{ id: 'x', path: 'images/x.png' }] }),
    'recipes/tryRepair': () => ({ before: 'data:,before', after: 'data:,after', reason: null }),
    'recipes/start': () => {
      throw new Refusal('recipe_waiting', { limit: 20 })
    },
  })
  open()
  const turned = await screen.findByRole('region', { name: '1 pair has a mask that lies on its side' })
  expect(screen.getByText('3 pairs of image and mask were found.')).toBeVisible()
  expect(screen.getByText('1 image has no mask and is left out')).toBeVisible()
  const begin = screen.getByRole('button', { name: 'Make the folder' })
  expect(begin).toBeDisabled()
  expect(screen.getByText('1 question above is still open.')).toBeVisible()
  await userEvent.click(within(turned).getByRole('radio', { name: 'Turn the mask a quarter to the left' }))
  await userEvent.click(within(turned).getByRole('button', { name: 'Show before and after' }))
  expect(await within(turned).findByRole('img', { name: 'masks/b.png, as it would be' })).toBeVisible()
  await userEvent.click(begin)
  const left = { do: 'turn', quarters: 3, isMirrored: false }
  expect(received.find(({ path }) => path === 'recipes/tryRepair')?.body).toMatchObject({ repairs: [left] })
  expect(received.find(({ path }) => path === 'recipes/start')?.body).toEqual({
    name: 'study (repaired)',
    work: {
      ...{ kind: 'repair', folderId: 'f' },
      pairs: [
        { imageId: 'ia', maskId: 'ma', repairs: [] },
        { imageId: 'ib', maskId: 'mb', repairs: [left] },
        { imageId: 'ic', maskId: 'mc', repairs: [{ do: 'size' }] },
      ],
    },
  })
})

it('says when all fits, and takes values that mean something', async () => {
  serve({ 'recipes/examine': () => examination({ total: 1, pairs: [pair('a', 60, 40, '7')] }) })
  open()
  expect(await screen.findByText('All of them fit. There is nothing to repair.')).toBeVisible()
  await userEvent.type(screen.getByRole('textbox', { name: /Values that mean something/ }), '0, 1')
  expect(
    await screen.findByRole('region', { name: '1 pair holds values that are not among yours' }),
  ).toBeVisible()
})

it('says why it could not look, and tries again', async () => {
  let isThere = false
  serve({
    'recipes/examine': () => {
      if (!isThere) throw new Refusal('recipe_no_pairs')
      return examination({ total: 1, pairs: [pair('a', 60, 40, '1')] })
    },
  })
  open()
  expect(await screen.findByText(/No masks were found in this folder/)).toBeVisible()
  isThere = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('All of them fit. There is nothing to repair.')).toBeVisible()
})

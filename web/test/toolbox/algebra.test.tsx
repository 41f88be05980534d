import type { AlgebraPreview } from '@neuroloom/contract/recipes/algebra'
import type { Preparation } from '@neuroloom/contract/recipes/recipes'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { Algebra } from '../../src/features/recipes/algebra/algebra.tsx'
import { csvOf } from '../../src/features/recipes/algebra/lines.ts'
import { Measures } from '../../src/features/recipes/algebra/measures.tsx'
import { Works } from '../../src/features/recipes/works.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

const folders = [
  { id: 'a', name: 'Иванова' },
  { id: 'b', name: '李医生' },
]
const shown = { image: 'data:image/webp;base64,', width: 64, height: 48, depth: null, bits: 8 }
const preview: AlgebraPreview = {
  folders: folders.map((folder) => ({ ...folder, masks: 41 })),
  total: 40,
  loose: { count: 1, some: [{ paths: ['case 7.png', '007.png'], by: 'number' }] },
  alone: { count: 2, some: [{ path: 'x.png', folder: 0, missing: [1] }] },
  unknown: 0,
  failing: [
    {
      ...{ reason: { name: 'sizes_differ', params: { file: 'w.png', width: 9, height: 8 } }, count: 1 },
      names: ['w.png'],
    },
  ],
  samples: [
    {
      ...{ paths: ['1.png', '1_mask.png'], before: [shown, shown], after: shown, reason: null },
      ...{ values: [3, 255], hasSpacing: false },
    },
  ],
  readers: [],
}
const reader = {
  ...{ number: 1, value: 255, sensitivity: 0.75, specificity: null, masks: 40 },
  ...{ positive: 1200, negative: 0 },
}
const work: Preparation = {
  id: 'w',
  work: {
    ...{ kind: 'algebra', folderIds: ['a', 'b'], names: ['Иванова', '李医生'] },
    ...{ join: 'staple', classes: 'each', steps: [] },
  },
  ...{ sourceName: 'Иванова', sourceId: 'a', state: 'done', through: 40, total: 40, failed: 0, made: 40 },
  ...{ failure: null, failures: [], readers: [reader] },
  ...{ resultId: 'r', resultKind: 'folder', resultName: 'truth', resultFolderId: null },
  ...{ createdAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T00:01:00Z' },
}

it('names what does not match, shows masks before and after, and starts with what was chosen', async () => {
  const received = serve({
    'recipes/tryAlgebra': ({ join }) => (join === 'staple' ? { ...preview, readers: [reader] } : preview),
    'recipes/start': () => ({ ...work, state: 'waiting' }),
  })
  const person = userEvent.setup()
  renderPart(<Algebra folders={folders} onStarted={() => undefined} />)
  expect(await screen.findByText('40 masks come of it')).toBeVisible()
  expect(screen.getByText(/2 masks have none of their name in another folder/)).toBeVisible()
  expect(screen.getByText('x.png in “Иванова”: missing in 李医生')).toBeInTheDocument()
  expect(screen.getByText(/case 7.png · 007.png/)).toBeInTheDocument()
  expect(screen.getByText(/“w.png” is of another size than the first/)).toBeVisible()
  expect(screen.getByRole('img', { name: '1.png in “李医生”' })).toBeVisible()
  expect(screen.getByRole('img', { name: '1.png, after' })).toBeVisible()
  expect(screen.getByText('Found in the masks shown: 3, 255.')).toBeVisible()
  await person.click(screen.getByRole('combobox', { name: 'Several become one by' }))
  await person.click(await screen.findByTitle('STAPLE'))
  const table = await screen.findByRole('table')
  expect(within(table).getByRole('row', { name: '李医生 255 75% (n = 1,200) – 40' })).toBeVisible()
  await person.click(screen.getByRole('combobox', { name: 'Classes' }))
  await person.click(await screen.findByTitle('Class 255 alone'))
  await person.click(screen.getByRole('button', { name: /Add a step/ }))
  await person.click(await screen.findByRole('menuitem', { name: 'Grow or shrink' }))
  expect(screen.getByText(/distances and sizes count in pixels/)).toBeVisible()
  await person.click(screen.getByRole('button', { name: /Add a step/ }))
  await person.click(await screen.findByRole('menuitem', { name: 'Change numbers' }))
  await person.click(screen.getByRole('button', { name: 'Make the folder' }))
  expect(received.find(({ path }) => path === 'recipes/start')?.body).toEqual({
    name: 'Иванова (masks)',
    work: {
      ...{ kind: 'algebra', folderIds: ['a', 'b'], join: 'staple', classes: 255 },
      steps: [
        { do: 'grow', how: 'grow', radius: 2, value: 0 },
        { do: 'remap', rest: 'stay', map: [{ from: 255, to: 1 }] },
      ],
    },
  })
})

it('asks for a second folder or a step where nothing would change, and says why there is nothing', async () => {
  let isThere = false
  serve({
    'recipes/tryAlgebra': () => {
      if (!isThere) throw new Refusal('mask_nothing')
      return preview
    },
  })
  renderPart(<Algebra folders={folders.slice(0, 1)} onStarted={() => undefined} />)
  expect(await screen.findByText(/No mask was found/)).toBeVisible()
  isThere = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Make the folder' })).toBeDisabled()
  expect(screen.queryByRole('combobox', { name: 'Several become one by' })).toBeNull()
})

it('tells of a work that ended how good readers seem', async () => {
  serve({ 'recipes/works': () => ({ works: [work], next: null }) })
  renderPart(<Works which="ended" />)
  expect(await screen.findByText('Masks of “Иванова”')).toBeVisible()
  expect(screen.getByRole('rowheader', { name: '李医生' })).toBeVisible()
})

it('measures a folder part by part, and keeps a table of all', async () => {
  const row = { value: 1, count: 5000, size: 2500, pieces: 2, box: [[0, 4] as [number, number]] }
  const received = serve({
    'recipes/measure': ({ from = 0 }) => ({
      ...{ total: 2, next: from === 0 ? 1 : null },
      masks: [
        from === 0
          ? { path: '肝,1.nii.gz', reason: null, isVolume: true, rows: [row] }
          : { path: '=2.png', reason: null, isVolume: false, rows: [] },
      ],
    }),
  })
  renderPart(<Measures folders={folders.slice(0, 1)} onMeasured={() => undefined} />)
  await userEvent.click(screen.getByRole('button', { name: 'Measure all masks' }))
  expect(await screen.findByRole('button', { name: /Save as CSV/ })).toBeVisible()
  expect(screen.getByRole('row', { name: '肝,1.nii.gz 1 5,000 2.5 ml 2 0–4' })).toBeVisible()
  expect(screen.getByRole('row', { name: '=2.png Nothing is marked.' })).toBeVisible()
  expect(received.filter(({ path }) => path === 'recipes/measure')).toHaveLength(2)
  const mask = { folder: 'a', path: '肝,1.nii.gz', reason: null, isVolume: true, rows: [row] }
  const broken = { ...mask, path: '=x.png', rows: [], reason: { name: 'empty' as const, params: {} } }
  expect(csvOf([mask, broken]).split('\r\n').slice(1)).toEqual([
    'a,"肝,1.nii.gz",1,5000,2500,2.5,2,0,4,,,,,',
    "a,'=x.png,,,,,,,,,,,,empty",
    '',
  ])
})

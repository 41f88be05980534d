import type { Preparation, Tried } from '@neuroloom/contract/recipes/recipes'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { Darkroom } from '../../src/features/recipes/darkroom.tsx'
import { OtherWork } from '../../src/features/recipes/other-works.tsx'
import { Works } from '../../src/features/recipes/works.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

const shown = { image: 'data:image/webp;base64,', width: 640, height: 480, depth: null, bits: 8 }
const tried: Tried = {
  counts: { images: 40, masks: 0, labels: 2, others: 1, dicom: 0 },
  unknown: 3,
  withoutMask: 0,
  failing: [{ reason: { name: 'dicom_no_picture', params: {} }, count: 2, names: ['a.dcm', 'b.dcm'] }],
  usual: { width: 640, height: 480, isVolume: false },
  largest: { width: 800, height: 600 },
  colours: [],
  samples: [
    { name: 'i/1.png', isMask: false, before: shown, after: [{ ...shown, width: 320 }], reason: null },
    {
      name: 'i/2.gif',
      isMask: false,
      before: null,
      after: [],
      reason: { name: 'several_pictures', params: { count: 4 } },
    },
  ],
  folders: [
    { id: 'i', path: 'images', images: 40 },
    { id: 'm', path: 'masks', images: 40 },
  ],
}
const work: Preparation = {
  id: 'w',
  work: { kind: 'split', folderId: 'f', below: true },
  ...{
    sourceName: 'scans',
    sourceId: 'f',
    state: 'failed',
    through: 3,
    total: 3,
    failed: 1,
    made: 8,
    failure: null,
  },
  failures: [{ name: 'x.png', reason: { name: 'one_picture', params: {} } }],
  ...{ resultId: 'r', resultKind: 'folder', resultName: 'pages', resultFolderId: null },
  ...{ createdAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T00:01:00Z' },
}

const onStarted = () => undefined

it('shows what would fail, takes steps with beginnings from the folder, and starts with likely masks', async () => {
  const received = serve({
    'recipes/try': () => tried,
    'recipes/list': () => ({ recipes: [] }),
    'recipes/start': () => ({ ...work, state: 'waiting' }),
  })
  const person = userEvent.setup()
  renderPart(<Darkroom folderId="f" name="study" onStarted={onStarted} onMakeTool={() => undefined} />)
  expect(await screen.findByText('2 files would fail')).toBeInTheDocument()
  expect(
    screen.getByText(/40 images · 2 files of labels or tables · 1 other file is left out/),
  ).toBeInTheDocument()
  expect(screen.getByRole('img', { name: 'i/1.png, after' })).toBeInTheDocument()
  expect(screen.getByText(/It holds 4 images/)).toBeInTheDocument()
  const begin = screen.getByRole('button', { name: 'Prepare all' })
  expect(begin).toBeDisabled()
  await person.click(screen.getByRole('button', { name: /Add a step/ }))
  await person.click(await screen.findByRole('menuitem', { name: 'Size' }))
  expect(screen.getByRole('spinbutton', { name: 'Width' })).toHaveValue('320')
  await person.click(screen.getByRole('button', { name: /Add a step/ }))
  await person.click(await screen.findByRole('menuitem', { name: 'Grey' }))
  const steps = screen.getAllByRole('listitem').filter((item) => within(item).queryByText(/^(Size|Grey)$/))
  expect(steps).toHaveLength(2)
  await person.click(screen.getByRole('button', { name: 'Move “Grey” up' }))
  expect(screen.getByText('Grey is step 1 of 2 now')).toBeInTheDocument()
  await person.click(begin)
  const sent = received.find(({ path }) => path === 'recipes/start')?.body
  expect(sent).toEqual({
    name: 'study (prepared)',
    work: {
      ...{ kind: 'recipe', folderId: 'f', below: true, maskIds: ['m'], dicom: 'pictures' },
      recipe: { v: 1, steps: [{ do: 'grey' }, { do: 'size', how: 'stretch', width: 320, height: 240 }] },
    },
  })
})

it('says why there is nothing to prepare', async () => {
  serve({
    'recipes/try': () => {
      throw new Refusal('recipe_nothing')
    },
  })
  renderPart(<Darkroom folderId="f" name="study" onStarted={onStarted} onMakeTool={() => undefined} />)
  expect(await screen.findByText(/There is nothing in this folder/)).toBeInTheDocument()
})

it('lists works that ended with what failed and why, and tries these again', async () => {
  const received = serve({
    'recipes/works': () => ({ works: [work], next: null }),
    'recipes/retry': () => ({ ...work, state: 'waiting' }),
  })
  renderPart(<Works which="ended" />)
  expect(await screen.findByText('Take apart “scans”')).toBeInTheDocument()
  expect(screen.getByText('It holds one image only.')).toBeInTheDocument()
  expect(screen.getByText('Open “pages”')).toHaveAttribute('href', '/cloudFile?id=r')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(received.map(({ path }) => path)).toContain('recipes/retry')
})

it('asks for new names and makes copies of them', async () => {
  const received = serve({
    'recipes/start': () => work,
    'recipes/renamed': () => ({
      ...{ count: 40, failed: 1 },
      names: [
        { from: 'b.png', to: null, reason: { name: 'name_invalid', params: {} } },
        { from: 'a.png', to: 'f_0001.png', reason: null },
      ],
    }),
  })
  renderPart(<OtherWork kind="rename" ids={['f']} name="study" onStarted={onStarted} />)
  const names = await screen.findByRole('region', { name: 'New names' })
  expect(names).toHaveTextContent('1 of 40 files cannot be called so')
  expect(names).toHaveTextContent('a.png → f_0001.png')
  await userEvent.click(screen.getByRole('button', { name: 'Make renamed copies' }))
  expect(received.find(({ path }) => path === 'recipes/start')?.body).toMatchObject({
    name: 'study (renamed)',
    work: { kind: 'rename', folderId: 'f', pattern: '{folder}_{number}', first: 1 },
  })
})

it('asks before folders are merged what becomes of files of one name', async () => {
  const user = userEvent.setup()
  const received = serve({
    'recipes/clashes': () => ({ count: 7, names: ['1.png', 'A.png'], total: 40 }),
    'recipes/start': () => work,
  })
  renderPart(<OtherWork kind="merge" ids={['a', 'b']} name="scans" onStarted={onStarted} />)
  await user.click(screen.getByRole('combobox', { name: 'Becomes' }))
  await user.click(await screen.findByTitle(/one folder/i))
  expect(await screen.findByText(/^7 of 40 files have a name .* 1.png, A.png …/)).toBeVisible()
  await user.click(screen.getByRole('radio', { name: 'Keep the newest' }))
  await user.click(screen.getByRole('button', { name: 'Merge' }))
  expect(received.find(({ path }) => path === 'recipes/start')?.body).toMatchObject({
    work: { kind: 'merge', ids: ['a', 'b'], as: 'folder', sameName: 'newest' },
  })
})

import { phantoms } from '@neuroloom/contract/flow/named'
import { phantomRanges } from '@neuroloom/contract/flow/phantoms'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Flow } from '../../src/pages/flow.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { tell } from '../runs/runs-live.ts'
import { serve } from '../serve.ts'
import { makeDetail, makeSummary } from './make-study.ts'

vi.mock('socket.io-client', async () => import('../runs/runs-live.ts'))

beforeEach(() => signIn())

const none = { studies: [], next: null, missing: [] }

describe('4D flow studies', () => {
  it('are told of where there are none, with the files that are taken and both ways to begin', async () => {
    serve({ 'flow/studies': () => none })
    renderPart(<Flow />, '/flow')
    expect(await screen.findByText('No studies yet')).toBeInTheDocument()
    expect(screen.getByText(/DICOM of Siemens, Philips, GE, United Imaging/)).toBeInTheDocument()
    expect(screen.getByText('For research, not for diagnosis.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Open files of the cloud' })).toBeEnabled()
    expect(screen.getByRole('button', { name: 'Try a known flow' })).toBeEnabled()
    expect(screen.getByRole('link', { name: 'Upload files first' })).toHaveAttribute('href', '/cloudHome')
  })

  it('cannot be opened where the engine lacks packages: members are told whom to ask', async () => {
    serve({ 'flow/studies': () => ({ ...none, missing: ['scipy', 'h5py'] }) })
    renderPart(<Flow />, '/flow')
    expect(await screen.findByText(/Ask your administrator to install scipy, h5py/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Open files of the cloud' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Try a known flow' })).toBeDisabled()
  })

  it('show their state in words, follow the server’s news, and come page by page', async () => {
    let state: 'looking' | 'asked' = 'looking'
    serve({
      'flow/studies': ({ after }) =>
        after
          ? { ...none, studies: [makeSummary({ id: 'study-2', name: 'Carotid', state: 'failed' })] }
          : { ...none, studies: [makeSummary({ state, size: null, frames: null })], next: 'study-1' },
    })
    renderPart(<Flow />, '/flow')
    expect(await screen.findByText('Looking at the files')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('Failed')).toBeInTheDocument()
    state = 'asked'
    tell({ id: 0, topic: { kind: 'user', id: 'user-1' }, type: 'flow', data: {} })
    expect(await screen.findByText('Waits for your answers')).toBeInTheDocument()
  })

  it('are opened from a folder of the cloud, which stands for all files in it', async () => {
    const folder = { id: 'folder-1', kind: 'folder', name: 'Export', fileCount: 2560 }
    const received = serve({
      'flow/studies': () => none,
      // Only what the picker shows.
      'files/list': ({ folderId }) =>
        ({ entries: folderId === 'folder-1' ? [] : [folder], path: [], next: null }) as never,
      'flow/open': () => makeSummary({ state: 'looking' }),
      'flow/study': () => makeDetail({ state: 'looking' }),
    })
    const person = userEvent.setup()
    const { router } = renderPart(<Flow />, '/flow')
    await person.click(await screen.findByRole('button', { name: 'Open files of the cloud' }))
    const dialog = within(await screen.findByRole('dialog', { hidden: true }))
    await person.click(await dialog.findByText('Export'))
    const use = await dialog.findByText('Open as a study')
    await waitFor(() => expect(use.closest('button')).toBeEnabled())
    await person.click(use)
    await waitFor(() => expect(router.state.location.search).toBe('?study=study-1'))
    expect(received.find(({ path }) => path === 'flow/open')?.body).toEqual({ ids: ['folder-1'] })
    expect(await screen.findByText(/You may leave this page/)).toBeInTheDocument()
  })

  it('are renamed and deleted; what goes and what stays is said before', async () => {
    const received = serve({
      'flow/studies': () => ({ ...none, studies: [makeSummary()] }),
      'flow/rename': () => makeSummary({ name: 'Aorta 13' }),
      'flow/remove': () => ({}),
    })
    const person = userEvent.setup()
    renderPart(<Flow />, '/flow')
    await person.click(await screen.findByRole('button', { name: 'Actions of Aorta 12' }))
    await person.click(await screen.findByText('Rename'))
    const field = await screen.findByLabelText('Name of the study')
    await person.clear(field)
    await person.type(field, 'Aorta 13{Enter}')
    await waitFor(() => expect(bodyOf('flow/rename')).toEqual({ id: 'study-1', name: 'Aorta 13' }))
    await person.click(screen.getByRole('button', { name: 'Actions of Aorta 12' }))
    await person.click(await screen.findByText('Delete', { selector: '.ant-dropdown-menu-title-content' }))
    expect(await screen.findByText(/stay in your cloud storage/)).toBeInTheDocument()
    await person.click(screen.getByText('Delete', { selector: '.ant-modal-footer span' }))
    await waitFor(() => expect(bodyOf('flow/remove')).toEqual({ id: 'study-1' }))

    function bodyOf(path: string) {
      return received.find((one) => one.path === path)?.body
    }
  })
})

describe('known flows', () => {
  it('are measured in one press, all ten of them', async () => {
    const received = serve({
      'flow/studies': () => none,
      'flow/phantom': () => makeSummary({ id: 'known-1', source: 'phantom', state: 'making' }),
      'flow/study': () => makeDetail({ state: 'making', phantom: { name: 'womersley', scan: {} } }),
    })
    const { router } = renderPart(<Flow />, '/flow?known')
    expect(await screen.findAllByRole('button', { name: /^Measure it: / })).toHaveLength(phantoms.length)
    await userEvent.click(screen.getByRole('button', { name: 'Measure it: Pulsating pipe flow' }))
    await waitFor(() => expect(router.state.location.search).toBe('?study=known-1'))
    expect(received.find(({ path }) => path === 'flow/phantom')?.body).toEqual({
      phantom: 'womersley',
      name: 'Pulsating pipe flow',
    })
    expect(await screen.findByText(/measured as a scanner would measure it/)).toBeInTheDocument()
  })

  it('are measured otherwise within what the product can do', async () => {
    const received = serve({
      'flow/studies': () => none,
      'flow/phantom': () => makeSummary({ source: 'phantom', state: 'making' }),
      'flow/study': () => makeDetail({ state: 'making' }),
    })
    const person = userEvent.setup()
    renderPart(<Flow />, '/flow?known')
    await person.click(await screen.findByRole('button', { name: 'Settings of the scan: Single whirl' }))
    const side = await screen.findByLabelText('Voxels along each side')
    expect(side).toHaveValue(String(phantomRanges.side.start))
    await person.clear(side)
    await person.type(side, '500')
    await person.tab()
    expect(side).toHaveValue(String(phantomRanges.side.max))
    await person.click(screen.getByText('Measure with these settings'))
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'flow/phantom')?.body).toMatchObject({
        phantom: 'vortex',
        scan: { side: 96, spacing: 2, frames: 1, venc: 150, snr: 20 },
      }),
    )
  })
})

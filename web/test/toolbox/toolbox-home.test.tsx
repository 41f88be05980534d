import type { Job, Use } from '@neuroloom/contract/toolbox/calls'
import { tools } from '@neuroloom/contract/toolbox/toolbox'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ToolboxHome } from '../../src/pages/toolbox/home.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

beforeEach(() => signIn())
afterEach(() => i18next.changeLanguage('en'))

const open = (address = '/toolboxHome') => renderPart(<ToolboxHome />, address)
const home = { favourites: [], unavailable: [] }
const use = (changes: Partial<Use> = {}): Use => ({
  ...{ id: 'use-1', tool: 'converter', title: 'head.dcm', inputs: {}, jobId: null },
  usedAt: '2026-11-20T08:00:00.000Z',
  ...changes,
})
const job = (changes: Partial<Job> = {}): Job => ({
  ...{ id: 'job-1', kind: 'conversion', state: 'running', progress: 40, reason: null, result: null },
  ...changes,
})

describe('the toolbox', () => {
  it('lists tools by group, each with the way to it', async () => {
    serve({ 'toolbox/home': () => home })
    open()
    const looking = await screen.findByRole('region', { name: 'Looking and converting' })
    expect(within(looking).getByRole('link', { name: 'Viewer' })).toHaveAttribute('href', '/cloudHome')
    expect(within(looking).getByRole('link', { name: 'Converter' })).toHaveAttribute(
      'href',
      '/toolboxHome?tool=converter',
    )
    expect(screen.queryByRole('region', { name: 'Favourites' })).toBeNull()
  })

  it.each([
    ['en', 'dicom tiff'],
    ['zh', '格式转换'],
    ['zh', 'convert'],
    ['ru', 'преобразование ФОРМАТОВ'],
  ])('finds a tool in %s by “%s”', async (language, text) => {
    await i18next.changeLanguage(language)
    serve({ 'toolbox/home': () => home })
    open()
    await userEvent.type(await screen.findByRole('textbox'), text)
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain(
      '/toolboxHome?tool=converter',
    )
    expect(screen.queryByRole('link', { name: /^(Viewer|查看器|Просмотр)$/ })).toBeNull()
  })

  it('says when nothing is found', async () => {
    serve({ 'toolbox/home': () => home })
    open()
    await userEvent.type(await screen.findByRole('textbox'), 'teapot')
    expect(screen.getByText(/No tool is called “teapot”/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Show all tools' }))
    expect(screen.getByRole('link', { name: 'Viewer' })).toBeVisible()
  })

  it('keeps a favourite on the server and shows it first', async () => {
    let favourites: 'viewer'[] = []
    const received = serve({
      'toolbox/home': () => ({ favourites, unavailable: [] }),
      'toolbox/setFavourite': () => {
        favourites = ['viewer']
        return {}
      },
    })
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Favourite: Viewer' }))
    const first = await screen.findByRole('region', { name: 'Favourites' })
    expect(within(first).getByRole('link', { name: 'Viewer' })).toBeVisible()
    expect(received.find(({ path }) => path === 'toolbox/setFavourite')?.body).toEqual({
      tool: 'viewer',
      isFavourite: true,
    })
  })

  it('says of a tool that the membership does not have what to do', async () => {
    serve({ 'toolbox/home': () => ({ favourites: [], unavailable: ['predictor'] }) })
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Batch predictor' }))
    expect(await screen.findByText(/Application not available/)).toBeVisible()
    expect(screen.getAllByText('From bronze on')).toHaveLength(tools.filter(({ level }) => level > 0).length)
  })

  it('says so too where the tool is opened by its address', async () => {
    serve({ 'toolbox/home': () => ({ favourites: [], unavailable: ['predictor'] }) })
    open('/toolboxHome?tool=predictor')
    expect(await screen.findByText('Application not available (upgrade membership).')).toBeVisible()
    expect(screen.getByRole('link', { name: 'What the levels offer' })).toBeVisible()
  })
})

describe('the history', () => {
  it('tells how the work stands and leads to what came of it', async () => {
    serve({
      'toolbox/history': () => ({
        uses: [
          use({ jobId: 'job-1' }),
          use({ id: 'use-2', title: 'legs', jobId: 'job-2' }),
          use({ id: 'use-3', title: 'arms', jobId: 'job-3' }),
        ],
        next: null,
      }),
      'toolbox/status': () => ({
        jobs: [
          job(),
          job({ id: 'job-2', state: 'done', result: { kind: 'folder', id: 'folder-1' } }),
          job({
            id: 'job-3',
            state: 'failed',
            reason: { name: 'some_failed', params: { failed: 1, total: 3 } },
          }),
        ],
      }),
    })
    open('/toolboxHome?tab=history')
    expect(await screen.findByText('head.dcm')).toBeVisible()
    expect(await screen.findByText(/running · 40/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Folder of the results' })).toHaveAttribute(
      'href',
      '/cloudFile?id=folder-1',
    )
    expect(screen.getByText('1 of 3 could not be done.')).toBeVisible()
  })

  it('stays readable, without a message, when nobody knows how the work stands', async () => {
    serve({ 'toolbox/history': () => ({ uses: [use({ jobId: 'job-1' })], next: null }) })
    open('/toolboxHome?tab=history')
    expect(await screen.findByText('head.dcm')).toBeVisible()
    expect(screen.queryByText(/server:/)).toBeNull()
  })

  it('opens a tool again with what it was used on', async () => {
    const sources = JSON.stringify([{ id: 'file-1', kind: 'file', name: 'head.dcm' }])
    serve({
      'toolbox/home': () => home,
      'toolbox/history': () => ({ uses: [use({ inputs: { sources } })], next: null }),
    })
    open('/toolboxHome?tab=history')
    await userEvent.click(await screen.findByRole('link', { name: /Run again/ }))
    expect(await screen.findByRole('dialog', { name: /head\.dcm/ })).toBeInTheDocument()
  })

  it('is deleted one by one, or as a whole after a question', async () => {
    let uses = [use(), use({ id: 'use-2', title: 'legs' })]
    const received = serve({
      'toolbox/history': () => ({ uses, next: null }),
      'toolbox/forget': ({ id }) => {
        uses = id === null ? [] : uses.filter((one) => one.id !== id)
        return {}
      },
    })
    open('/toolboxHome?tab=history')
    const [first] = await screen.findAllByRole('button', { name: 'Delete from the history: Converter' })
    if (first) await userEvent.click(first)
    await waitFor(() => expect(screen.queryByText('head.dcm')).toBeNull())
    await userEvent.click(screen.getByRole('button', { name: 'Clear the history' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Nothing done yet')).toBeVisible()
    expect(received.filter(({ path }) => path === 'toolbox/forget').map(({ body }) => body)).toEqual([
      { id: 'use-1' },
      { id: null },
    ])
  })
})

import type { Report } from '@neuroloom/contract/reports'
import type { StatementTexts } from '@neuroloom/contract/statements'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { ReportPage } from '../../src/pages/report.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

beforeEach(() => {
  localStorage.clear()
  signIn()
})

const report: Report = {
  ...{ runId: 'test-1', projectId: 'project-1', title: 'Nuclei: report of a test', subtitle: 'Test 2' },
  sections: [
    { id: 'study', title: 'The study', blocks: [{ kind: 'text', text: 'Not stated: Aims; Funding.' }] },
    {
      id: 'limits',
      title: 'Mind',
      blocks: [{ kind: 'facts', facts: [{ label: 'Funding', value: 'None', anchor: 'funding' }] }],
    },
    {
      id: 'claim',
      title: 'Checklist',
      blocks: [
        {
          ...{
            kind: 'checklist',
            caption: 'Item by item',
            text: '1 of 2 items answered.',
            page: 'page {page}',
          },
          items: [
            {
              ...{ number: 4, item: 'aims', name: 'Aims', state: 'notStated', note: 'not stated' },
              ...{ anchor: null, question: 'aims' },
            },
            {
              ...{ number: 44, item: 'funding', name: 'Funding', state: 'answered', note: 'answered' },
              ...{ anchor: 'funding', question: null },
            },
          ],
        },
      ],
    },
  ],
  isCross: false,
  isFlow: false,
  mayDownload: true,
  hasWatermark: false,
}

type Server = {
  task?: 'classification' | 'flow'
  access?: 'own' | 'edit' | 'view'
  said?: StatementTexts
  isReachable?: () => boolean
}

function open({
  task = 'classification',
  access = 'edit',
  said = { funding: 'None' },
  isReachable = () => true,
}: Server = {}) {
  let statements = said
  const received = serve({
    'reports/show': () => report,
    'projects/detail': () => ({
      ...{ id: 'project-1', name: 'Nuclei', description: '', task, visibility: 'private' },
      ...{ access, owner: '', shareId: null, createdAt: '', modifiedAt: '', displays: ['per_class_table'] },
      counts: { files: 0, trainSets: 0, testSets: 0, runs: 0, models: 0, displays: 1, reports: 0 },
      lastRun: null,
    }),
    'projects/statements': () => ({ statements }),
    'projects/setStatement': ({ name, text }) => {
      if (!isReachable()) throw new TypeError('Failed to fetch')
      statements = { ...statements, [name]: text }
      return { statements }
    },
  })
  return { received, ...renderPart(<ReportPage />, '/report?id=test-1') }
}

const sent = (received: ReturnType<typeof open>['received']) =>
  received.filter(({ path }) => path === 'projects/setStatement').map(({ body }) => body)

describe('what only people know of a study', () => {
  it('is asked of a scan where the project is of 4D flow, and of images where networks learn', async () => {
    open({ task: 'flow', said: { fieldStrength: '3 T', background: 'of another task' } })
    const user = userEvent.setup()
    expect((await screen.findAllByText('1 of 25 answered')).length).toBeGreaterThan(0)
    await user.click(screen.getByRole('button', { name: 'Answer the questions' }))
    expect(await screen.findByRole('textbox', { name: 'How strong was the magnetic field?' })).toHaveValue(
      '3 T',
    )
    expect(screen.getByText(/left out because of arrhythmia/)).toBeVisible()
    expect(screen.queryByRole('textbox', { name: /should the network be used for/ })).toBeNull()
  })

  it('is asked with help and an example, saved as it is typed, and counted', async () => {
    const user = userEvent.setup()
    const { received } = open()
    const panel = await screen.findByRole('region', { name: 'Study details for the report' })
    expect(within(panel).getByText('1 of 22 answered')).toBeVisible()
    await user.click(within(panel).getByRole('button', { name: 'Answer the questions' }))
    const field = within(panel).getByRole('textbox', { name: 'What did you want to find out?' })
    expect(field).toHaveAccessibleDescription(
      /The aims, and what you expected.*For example: Whether a network/,
    )
    expect(within(panel).getByRole('textbox', { name: 'Who paid for the study?' })).toHaveValue('None')
    await user.type(field, 'Tell cells apart')
    await user.tab()
    await waitFor(() =>
      expect(sent(received).at(-1)).toEqual({ id: 'project-1', name: 'aims', text: 'Tell cells apart' }),
    )
    expect(await within(panel).findByText('2 of 22 answered')).toBeVisible()
    expect(within(panel).getByText('Saved.')).toBeVisible()
  })

  it('is kept in the browser while the server cannot be reached, and sent when it can', async () => {
    const user = userEvent.setup()
    let isReachable = false
    const first = open({ isReachable: () => isReachable })
    await user.click(await screen.findByRole('button', { name: 'Answer the questions' }))
    await user.type(screen.getByRole('textbox', { name: 'What did you want to find out?' }), 'Kept')
    await user.tab()
    expect(await screen.findByText(/^Not saved: the server cannot be reached/)).toBeVisible()
    first.unmount()
    isReachable = true
    const { received } = open()
    await user.click(await screen.findByRole('button', { name: 'Answer the questions' }))
    const field = screen.getByRole('textbox', { name: 'What did you want to find out?' })
    expect(field).toHaveValue('Kept')
    window.dispatchEvent(new Event('online'))
    await waitFor(() => expect(sent(received).at(-1)).toMatchObject({ name: 'aims', text: 'Kept' }))
    await waitFor(() =>
      expect(Object.keys(localStorage).filter((key) => key.startsWith('statement.'))).toEqual([]),
    )
  })

  it('is asked by the item of the checklist that nobody has answered', async () => {
    const user = userEvent.setup()
    open()
    const row = await screen.findByRole('row', { name: /4\. Aims/ })
    expect(within(row).getByText(/not stated/)).toBeVisible()
    await user.click(within(row).getByRole('link', { name: 'Answer it now' }))
    expect(await screen.findByRole('textbox', { name: 'What did you want to find out?' })).toHaveFocus()
    const place = within(screen.getByRole('row', { name: /44\. Funding/ })).getByRole('link')
    const target = place.getAttribute('href') ?? ''
    expect(document.querySelector(target)).toHaveTextContent('FundingNone')
  })

  it('is not asked of those who may only look', async () => {
    const { received } = open({ access: 'view' })
    expect(await screen.findByText('Not stated: Aims; Funding.')).toBeVisible()
    await waitFor(() => expect(received.map(({ path }) => path)).toContain('projects/detail'))
    expect(screen.queryByRole('region', { name: 'Study details for the report' })).toBeNull()
  })
})

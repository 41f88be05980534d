import type { Report } from '@neuroloom/contract/reports'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ReportPage } from '../../src/pages/report.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

const makeReport = (changes: Partial<Report> = {}): Report => ({
  runId: 'test-1',
  projectId: 'project-1',
  isCross: false,
  isFlow: false,
  title: 'Nuclei: report of a test',
  subtitle: 'Test 2',
  sections: [
    {
      id: 'summary',
      title: 'In short',
      blocks: [
        { kind: 'text', text: 'It reached 98.3 %.' },
        { kind: 'facts', facts: [{ label: 'Task', value: 'Classification' }] },
      ],
    },
    {
      id: 'results',
      title: 'Results',
      blocks: [
        { kind: 'table', caption: 'Figures', head: ['Measure', 'Value'], rows: [['Accuracy', '98.3 %']] },
        {
          kind: 'drawings',
          drawings: [{ caption: 'ROC', text: 'ill 0.98', svg, width: 380, height: 250 }],
        },
      ],
    },
    {
      id: 'pictures',
      title: 'Worst',
      blocks: [
        {
          kind: 'pictures',
          text: 'Look here',
          pictures: [{ heat: null, url: '/picture', name: 'ill/<b>a</b>.png', caption: 'Truth: ill' }],
        },
      ],
    },
    { id: 'limits', title: 'Mind', blocks: [{ kind: 'notes', notes: ['No medical device.'] }] },
  ],
  mayDownload: true,
  hasWatermark: false,
  ...changes,
})

const open = () => renderPart(<ReportPage />, '/report?id=test-1')

describe('the report page', () => {
  it('shows every kind of block, and drawings as images in which nothing can run', async () => {
    serve({ 'reports/show': () => makeReport() })
    const { container } = open()
    expect(await screen.findByText('It reached 98.3 %.')).toBeVisible()
    expect(screen.getByText('Task').parentElement).toHaveTextContent('TaskClassification')
    const table = screen.getByRole('table', { name: 'Figures' })
    expect(within(table).getByRole('rowheader', { name: 'Accuracy' })).toBeVisible()
    expect(screen.getByRole('img', { name: 'ill 0.98' })).toHaveAttribute(
      'src',
      `data:image/svg+xml,${encodeURIComponent(svg)}`,
    )
    expect(screen.getByText('ill/<b>a</b>.png')).toBeVisible()
    expect(screen.getByText('No medical device.')).toBeVisible()
    expect(container.querySelector('script')).toBeNull()
  })

  it('leads from the report of a flow run back to it, and shows its pictures large', async () => {
    const picture = { heat: null, url: '/figure', name: 'Figure 1', caption: 'Streamlines' }
    serve({
      'reports/show': () =>
        makeReport({
          isFlow: true,
          sections: [
            {
              ...{ id: 'pictures', title: 'Images' },
              blocks: [{ kind: 'pictures', isLarge: true, text: 'Kept', pictures: [picture] }],
            },
          ],
        }),
    })
    const { container } = open()
    expect(await screen.findByRole('link', { name: 'To the flow run' })).toHaveAttribute(
      'href',
      '/run?id=test-1',
    )
    expect(container.querySelector('[data-large] img')).toHaveAttribute('src', '/figure')
  })

  it('asks for the PDF in the language of the page', async () => {
    const received = serve({
      'reports/show': () => makeReport({ hasWatermark: true }),
      'reports/download': () => ({ url: '/pdf', name: 'report.pdf' }),
    })
    open()
    expect(await screen.findByText(/carries a watermark/)).toBeVisible()
    await userEvent.setup().click(screen.getByRole('button', { name: /Download as PDF/ }))
    const asked = received.filter(({ path }) => path === 'reports/download')
    expect(asked.map(({ body }) => body)).toEqual([{ id: 'test-1', language: 'en' }])
  })

  it('says from which level on the PDF can be had', async () => {
    serve({ 'reports/show': () => makeReport({ mayDownload: false }) })
    open()
    expect(await screen.findByText(/needs bronze membership or higher/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /Download as PDF/ })).toBeNull()
  })

  it('leads from its index to every section', async () => {
    serve({ 'reports/show': () => makeReport() })
    const { container } = open()
    const index = await screen.findByRole('navigation', { name: 'In this report' })
    const headings = within(index)
      .getAllByRole('link')
      .map((link) => container.querySelector(link.getAttribute('href') ?? ''))
    expect(headings).toEqual(screen.getAllByRole('heading', { level: 2 }))
    expect(headings.map((heading) => heading?.textContent)).toEqual(['In short', 'Results', 'Worst', 'Mind'])
  })

  it('is printed by the browser for those who may not download the PDF', async () => {
    const print = vi.fn()
    vi.stubGlobal('print', print)
    serve({ 'reports/show': () => makeReport({ mayDownload: false }) })
    open()
    await userEvent.setup().click(await screen.findByRole('button', { name: /Print/ }))
    expect(print).toHaveBeenCalledOnce()
  })

  it('offers no second way to paper to those who have the PDF', async () => {
    serve({ 'reports/show': () => makeReport() })
    open()
    expect(await screen.findByRole('button', { name: /Download as PDF/ })).toBeVisible()
    expect(screen.queryByRole('button', { name: /Print/ })).toBeNull()
  })
})

import type { SocialReport } from '@neuroloom/contract/social/posts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../serve.ts'
import { openOffice } from './make-orders.ts'

const makeReport = (changes: Partial<SocialReport> = {}): SocialReport => ({
  id: 'report-1',
  kind: 'post',
  reason: 'patient_data',
  text: 'The name is on the image.',
  content: 'Look at <b>Mr Ode</b>',
  attachments: [],
  about: { id: 'radiologist', nickName: 'Radiologist', photo: '' },
  reporter: { id: 'physicist', nickName: 'Physicist', photo: '' },
  at: '2027-01-01T09:00:00.000Z',
  state: 'open',
  decidedAt: null,
  ...changes,
})

function openReports(handlers: Parameters<typeof openOffice>[1] = {}) {
  let report = makeReport()
  return openOffice('reports', {
    'office/socialReports': ({ state }) => ({
      reports: (state === 'open') === (report.state === 'open') ? [report] : [],
      next: null,
      openCount: report.state === 'open' ? 1 : 0,
    }),
    'office/decideSocialReport': ({ decision }) => {
      report = {
        ...report,
        state: decision === 'remove' ? 'removed' : 'kept',
        decidedAt: '2027-01-02T09:00:00.000Z',
      }
      return report
    },
    ...handlers,
  })
}

describe('reported content', () => {
  it('is shown as it was, and removed only once it was confirmed', async () => {
    const { person, sent } = openReports()
    const card = within(await screen.findByRole('article', { name: 'Post: patient data' }))
    expect(card.getByText('Look at <b>Mr Ode</b>')).toBeVisible()
    for (const text of ['Radiologist', 'Physicist', 'The name is on the image.'])
      expect(card.getByText(text)).toBeVisible()
    await person.click(card.getByRole('button', { name: 'Remove the post …' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/deleted with its replies/)).toBeVisible()
    expect(sent('office/decideSocialReport')).toEqual([])
    await person.click(dialog.getByRole('button', { name: 'Remove' }))
    expect(await screen.findByRole('heading', { name: 'No report waits' })).toBeVisible()
    expect(sent('office/decideSocialReport')).toEqual([{ reportId: 'report-1', decision: 'remove' }])
    await person.click(screen.getByText('Decided', { selector: '.ant-segmented-item-label' }))
    expect(await screen.findByText('Removed')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Keep it …' })).toBeNull()
  })

  it('that is harmless is kept', async () => {
    const { person, sent } = openReports()
    await person.click(await screen.findByRole('button', { name: 'Keep it …' }))
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep it' }))
    await waitFor(() =>
      expect(sent('office/decideSocialReport')).toEqual([{ reportId: 'report-1', decision: 'keep' }]),
    )
  })

  it('that another administrator decided says so', async () => {
    const { person } = openReports({
      'office/decideSocialReport': () => {
        throw new Refusal('report_decided')
      },
    })
    await person.click(await screen.findByRole('button', { name: 'Keep it …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await person.click(dialog.getByRole('button', { name: 'Keep it' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Another administrator has decided this already.',
    )
  })

  it('is no part of the back-office of a hospital’s own server', async () => {
    const { sent } = openOffice(
      'reports',
      { 'members/list': () => ({ members: [], total: 0, pageSize: 20 }) },
      { host: -1 },
    )
    expect(await screen.findByRole('heading', { name: 'Nobody found' })).toBeVisible()
    expect(sent('office/socialReports')).toEqual([])
  })
})

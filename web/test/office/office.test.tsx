import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { makeOrder, openOffice } from './make-orders.ts'

const noMembers = () => ({ members: [], total: 0, pageSize: 20 })

describe('the parts of the back-office for what is sold', () => {
  it('have their addresses on a public server', async () => {
    const { person } = openOffice('plans', {
      'office/plans': () => ({ plans: [], methods: [] }),
      'office/orders': () => ({ orders: [makeOrder()], total: 1, pageSize: 20 }),
    })
    const parts = within(await screen.findByRole('navigation', { name: 'Back-office' }))
    await waitFor(() =>
      expect(parts.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
        'Members',
        'Partners',
        'Enquiries',
        'Reports',
        'Announcements',
        'Runs',
        'Public data',
        'Custom tasks',
        'Code',
        'Plans',
        'Limits',
        'Orders',
        'Invoices',
        'Models',
        'Claims',
        'Demands',
        'Withdrawals',
        'Overview',
        'Modules',
        'Backups',
        'Server',
      ]),
    )
    await person.click(parts.getByRole('link', { name: 'Orders' }))
    expect(await screen.findByRole('table', { name: 'Orders' })).toBeVisible()
    expect(parts.getByRole('link', { current: 'page' })).toHaveTextContent('Orders')
  })

  it.each(['plans', 'orders', 'invoices'])('are none on a hospital’s own server: %s', async (part) => {
    const { received } = openOffice(part, { 'members/list': noMembers }, { host: -1 })
    expect(await screen.findByRole('heading', { name: 'Nobody found' })).toBeVisible()
    const links = screen.getAllByRole('link').map(({ textContent }) => textContent)
    expect(links).toEqual([
      'Members',
      'Partners',
      'Enquiries',
      'Announcements',
      'Runs',
      'Public data',
      'Code',
      'Overview',
      'Modules',
      'Backups',
      'Server',
    ])
    expect(received.filter(({ path }) => path.startsWith('office/'))).toEqual([])
  })

  it.each(['plans', 'orders', 'invoices'])('do not exist for members: %s', async (part) => {
    const { received } = openOffice(part, {}, { role: 0 })
    expect(await screen.findByRole('heading', { name: 'There is nothing at this address' })).toBeVisible()
    expect(received.filter(({ path }) => path.startsWith('office/'))).toEqual([])
  })
})

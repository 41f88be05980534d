import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { LinkSection } from '../../src/features/files/sharing/link-section.tsx'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

const link = {
  ...{ id: 'link-1', hasPassword: false, opened: 0, lastOpenedAt: null },
  ...{ createdAt: '2026-01-01T08:00:00.000Z', expiresAt: '2026-01-08T08:00:00.000Z' },
}

describe('a link to a file', () => {
  it('ends only once it was confirmed, because nobody can take that back', async () => {
    const received = serve({ 'files/revokeLink': () => ({}) })
    renderPart(<LinkSection id="file-1" links={[link]} />)
    await userEvent.click(await screen.findByRole('button', { name: 'End' }))
    const asked = within(await screen.findByRole('tooltip'))
    expect(asked.getByText('End this link?')).toBeInTheDocument()
    expect(received).toEqual([])
    await userEvent.click(asked.getByRole('button', { name: 'End the link' }))
    expect(received).toMatchObject([{ path: 'files/revokeLink', body: { linkId: 'link-1' } }])
  })
})

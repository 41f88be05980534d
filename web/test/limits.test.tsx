import type { Answer } from '@neuroloom/contract/calls'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { GroupsTab } from '../src/features/files/sharing/groups-tab.tsx'
import { UsedLimits } from '../src/features/plans/used-limits.tsx'
import { setLanguage } from '../src/lib/i18n.ts'
import { makeQueryClient, refreshPaths } from '../src/lib/query.ts'
import { LimitMeter } from '../src/ui/limits/limit-meter.tsx'
import { UsedLimit } from '../src/ui/limits/used-limit.tsx'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

describe('the meter of a limit', () => {
  it.each([
    [0, null],
    [79, null],
    [80, 'Nearly full'],
    [99, 'Nearly full'],
    [100, 'Full'],
    [120, 'Full'],
  ])('says of %i of 100: %s', async (used, warning) => {
    renderPart(<LimitMeter label={`${used} of 100 things`} used={used} limit={100} />)
    const meter = await screen.findByRole('meter', { name: `${used} of 100 things` })
    expect(meter).toHaveAttribute('value', String(Math.min(used, 100)))
    expect(meter).toHaveAttribute('max', '100')
    expect(meter.getAttribute('aria-valuetext')).toBe(
      warning === null ? `${used} of 100 things` : `${used} of 100 things. ${warning}`,
    )
    expect(screen.queryByText(/^(Nearly full|Full)$/)?.textContent ?? null).toBe(warning)
  })

  it.each([
    ['en', 'Nearly full'],
    ['zh', '即将用完'],
    ['ru', 'Почти исчерпано'],
  ] as const)('warns in %s', async (language, warning) => {
    await setLanguage(language)
    renderPart(<LimitMeter label="5 / 6" used={5} limit={6} />)
    expect(await screen.findByText(warning)).toBeVisible()
  })

  it('leaves room for what may be done', async () => {
    renderPart(
      <LimitMeter label="6 of 6" used={6} limit={6} action={<button type="button">Tidy up</button>} />,
    )
    expect(await screen.findByRole('button', { name: 'Tidy up' })).toBeVisible()
  })

  it('is none where the level has nothing of it, and says so', async () => {
    renderPart(<LimitMeter label="0 of 0" used={0} limit={0} />)
    expect(await screen.findByText('Not part of your level')).toBeVisible()
    expect(screen.queryByRole('meter')).toBeNull()
  })

  it('is nothing where there is no limit', async () => {
    renderPart(
      <>
        <LimitMeter label="5 of many" used={5} limit={null} />
        shown
      </>,
    )
    await screen.findByText('shown')
    expect(screen.queryByText('5 of many')).toBeNull()
  })
})

const used: Answer<'plans/used'> = {
  limits: [
    { name: 'projects', used: 3, limit: 3 },
    { name: 'topFolders', used: 2, limit: 3 },
    { name: 'storageBytes', used: 5, limit: 1024 },
    { name: 'trainedModels', used: 1, limit: null },
    { name: 'sharedDatasets', used: 0, limit: 0 },
  ],
}

describe('what is used', () => {
  it('is shown of each limit, with the way to where it lies', async () => {
    serve({ 'plans/used': () => used })
    renderPart(<UsedLimits />)
    const section = within(await screen.findByRole('region', { name: 'What is used' }))
    expect(section.getAllByRole('meter').map((meter) => meter.getAttribute('aria-valuetext'))).toEqual([
      'Projects: 3 of 3. Full',
      'Folders at the top of the cloud storage: 2 of 3',
    ])
    expect(section.getByText('Data sets and folders shared: 0 of 0')).toBeVisible()
    expect(section.queryByText(/Trained networks/)).toBeNull()
    expect(section.getByRole('link', { name: 'Projects' })).toHaveAttribute('href', '/projectHome')
  })

  it('is nothing to count where nothing is limited', async () => {
    serve({ 'plans/used': () => ({ limits: [{ name: 'projects', used: 9, limit: null }] }) })
    renderPart(<UsedLimits />)
    expect(await screen.findByText('Your account has no limits.')).toBeVisible()
  })

  it('says when it cannot be known', async () => {
    serve({
      'plans/used': () => {
        throw new Refusal('internal')
      },
    })
    renderPart(<UsedLimits />)
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
  })

  it('is asked for one limit where a page shows one', async () => {
    const received = serve({
      'plans/used': ({ names = [] }) => ({ limits: used.limits.filter(({ name }) => names.includes(name)) }),
    })
    renderPart(<UsedLimit name="topFolders" />)
    expect(await screen.findByText('Folders at the top of the cloud storage: 2 of 3')).toBeVisible()
    expect(received.map(({ body }) => body)).toEqual([{ names: ['topFolders'] }])
  })

  it('is counted anew when something that counts has changed', () => {
    const queries = makeQueryClient()
    const isOld = () => queries.getQueryState(['plans/used', {}])?.isInvalidated
    queries.setQueryData(['plans/used', {}], used)
    refreshPaths(queries, ['files/shares'])
    return Promise.resolve()
      .then(() => expect(isOld()).toBe(false))
      .then(() => refreshPaths(queries, ['files/list']))
      .then(() => expect.poll(isOld).toBe(true))
  })
})

describe('own groups', () => {
  const group = (id: string, isOwner: boolean) => ({
    ...{
      id,
      isOwner,
      number: '123456789',
      name: `Group ${id}`,
      about: '',
      owner: 'Doctor',
      hasPassword: false,
    },
    ...{ memberCount: 1, entryCount: 0, createdAt: '2026-03-01T08:00:00.000Z' },
  })
  it('are counted among all that one is in', async () => {
    serve({
      'files/groups': () => ({ groups: [group('1', true), group('2', false)], ownLimit: 5 }),
    })
    renderPart(<GroupsTab />)
    expect(await screen.findByRole('meter', { name: 'Groups created: 1 of 5' })).toBeVisible()
  })
})

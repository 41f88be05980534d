import type { PublicFolder, PublicProject } from '@neuroloom/contract/office/published'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../serve.ts'
import { fill, openOffice } from './make-orders.ts'

const published = {
  owner: { nickName: 'Publisher', account: 'publisher@hospital.example' },
  publicAt: '2027-01-01T09:00:00.000Z',
}
const folder: PublicFolder = {
  ...{ id: 'folder-1', name: 'Chest X-ray', ...published },
  ...{ fileCount: 2, sizeBytes: 1024, withPatients: true },
}
const project: PublicProject = { id: 'project-1', name: 'Lungs', ...published, task: 'segmentation' }

function openPublished(handlers: Parameters<typeof openOffice>[1] = {}) {
  let folders = [folder]
  let projects = [project]
  return openOffice('published', {
    'office/publicFolders': () => ({ folders, total: folders.length, pageSize: 20 }),
    'office/publicProjects': () => ({ projects, total: projects.length, pageSize: 20 }),
    'office/withdrawFolder': () => {
      folders = []
      return {}
    },
    'office/withdrawProject': () => {
      projects = []
      return {}
    },
    ...handlers,
  })
}

describe('public data', () => {
  it('is shown with its publisher, and withdrawn only with a reason', async () => {
    const { person, sent } = openPublished()
    const card = within(await screen.findByRole('article', { name: 'Chest X-ray' }))
    for (const text of ['Publisher (publisher@hospital.example)', /^2 files/, /name their patient/])
      expect(card.getByText(text)).toBeVisible()
    await person.click(card.getByRole('button', { name: 'Withdraw …' }))
    const dialog = within(await screen.findByRole('dialog'))
    const confirm = dialog.getByRole('button', { name: 'Withdraw' })
    expect(confirm).toBeDisabled()
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'Wrong licence')
    await person.click(confirm)
    expect(await screen.findByText('No public data sets')).toBeVisible()
    expect(sent('office/withdrawFolder')).toEqual([{ id: 'folder-1', reason: 'Wrong licence' }])
  })

  it('has projects as well, and says when one is gone already', async () => {
    const gone = () => {
      throw new Refusal('project_missing')
    }
    const { person } = openPublished({ 'office/withdrawProject': gone })
    await person.click(await screen.findByText('Projects and networks'))
    const card = within(await screen.findByRole('article', { name: 'Lungs' }))
    expect(card.getByRole('link', { name: 'Lungs' })).toHaveAttribute('href', '/projectDetail?id=project-1')
    await person.click(card.getByRole('button', { name: 'Withdraw …' }))
    const dialog = within(await screen.findByRole('dialog'))
    await fill(person, dialog.getByRole('textbox', { name: 'Reason' }), 'Names inside')
    await person.click(dialog.getByRole('button', { name: 'Withdraw' }))
    await waitFor(() => expect(dialog.getByRole('alert')).toBeVisible())
  })
})

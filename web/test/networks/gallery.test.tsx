import { templateTasks } from '@neuroloom/contract/network/template-tasks'
import { templates } from '@neuroloom/contract/network/templates'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { TemplateGallery } from '../../src/features/networks/gallery.tsx'
import type { TemplateChoice } from '../../src/features/networks/gallery-choice.ts'
import { setLanguage } from '../../src/lib/i18n.ts'
import { renderPart } from '../render.tsx'

function show(task?: string) {
  const chosen: TemplateChoice[] = []
  const person = userEvent.setup()
  renderPart(
    <TemplateGallery {...(task === undefined ? {} : { task })} onChoose={(choice) => chosen.push(choice)} />,
  )
  return { person, chosen }
}

const cards = () => screen.getAllByRole('article')
const cardOf = (name: string) => {
  const found = cards().find((card) => within(card).queryByRole('button', { name }) !== null)
  if (found === undefined) throw new Error(`no card ${name}`)
  return found
}

it('shows all templates by task, and takes one in the size that was pressed', async () => {
  const { person, chosen } = show()
  expect(await screen.findByRole('heading', { name: 'Mark regions' })).toBeVisible()
  expect(cards()).toHaveLength(templates.length)
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(templateTasks.length)
  await person.click(screen.getByRole('button', { name: 'ResNet-18: take the Full size' }))
  await person.click(screen.getByRole('button', { name: 'U-Net: take the Small' }))
  expect(chosen).toEqual([
    { template: 'resnet18', size: 'full' },
    { template: 'unet', size: 'small' },
  ])
})

it('draws what is in view and says how large both sizes are', async () => {
  show('segmentation')
  await screen.findByRole('heading', { name: 'Mark regions' })
  const card = cardOf('U-Net')
  // Drawn by the style sheet from an attribute.
  const numbers = () =>
    [...card.querySelectorAll('[data-number]')].map((one) => one.getAttribute('data-number'))
  await waitFor(() => expect(numbers()).toEqual(['1.09\u202fM', '31\u202fM']))
  const picture = card.querySelector('img')
  expect(decodeURIComponent(picture?.src ?? '')).toContain('Double convolution')
})

it('shows only the templates of a task that was asked for', async () => {
  show('flow')
  expect(await screen.findByRole('heading', { name: 'Blood flow (4D flow MRI)' })).toBeVisible()
  expect(cards()).toHaveLength(2)
})

it('finds by task, name, author and text, and says when nothing fits', async () => {
  const { person } = show()
  const search = await screen.findByRole('searchbox', { name: 'Search templates' })
  await person.click(search)
  await person.paste('ronneberger small biomedical')
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('1 template'))
  expect(cardOf('Small U-Net')).toBeVisible()
  await person.clear(search)
  await person.paste('qqq')
  expect(await screen.findByRole('heading', { name: 'No template fits' })).toBeVisible()
  expect(screen.queryAllByRole('article')).toEqual([])
})

it('tells everything about one, with figures of both sizes, and begins with the chosen one', async () => {
  const { person, chosen } = show('classification')
  await screen.findByRole('heading', { name: 'Say what it is' })
  within(cardOf('ResNet-18')).getByRole('button', { name: 'ResNet-18' }).focus()
  await person.keyboard('{Enter}')
  const details = await screen.findByRole('dialog', { name: 'ResNet-18' })
  expect(await within(details).findByText('703,386')).toBeVisible()
  expect(within(details).getByText('128 × 128')).toBeVisible()
  await person.click(within(details).getByText('Full size'))
  expect(await within(details).findByText('11,689,512')).toBeVisible()
  expect(within(details).getByText('as published')).toBeVisible()
  expect(within(details).getByRole('link')).toHaveAttribute('href', 'https://arxiv.org/abs/1512.03385')
  const picture = within(details).getByRole('img', { name: 'Structure of ResNet-18' })
  expect(decodeURIComponent(picture.getAttribute('src') ?? '')).toContain('Residual block')
  await person.click(within(details).getByRole('button', { name: 'Start with this' }))
  expect(chosen).toEqual([{ template: 'resnet18', size: 'full' }])
})

it('speaks and draws in the chosen language', async () => {
  await setLanguage('ru')
  const { person } = show('segmentation')
  expect(await screen.findByRole('heading', { name: 'Выделить области' })).toBeVisible()
  await person.click(within(cardOf('Малая U-Net')).getByRole('button', { name: 'Малая U-Net' }))
  const details = await screen.findByRole('dialog', { name: 'Малая U-Net' })
  const picture = await within(details).findByRole('img', { name: 'Структура сети Малая U-Net' })
  expect(decodeURIComponent(picture.getAttribute('src') ?? '')).toMatch(/Двойная свёртка.*Шаг вниз/)
})

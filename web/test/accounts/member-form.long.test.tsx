/** The long registration in the other languages, and with a place that stands in no list. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { setLanguage } from '../../src/lib/i18n.ts'
import { Register } from '../../src/pages/register.tsx'
import { chooseCountry, drag, field, fill } from '../fill.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { done, fillAll, openMemberForm, person, submit } from './member-form-make.tsx'

it.each([
  ['zh', '个人分类（职称）', '专业领域（关键词）'],
  ['ru', 'Личная классификация (звания)', 'Специальность (ключевые слова)'],
] as const)(
  'asks in %s for the personal classification and the professional field',
  async (language, title, keyword) => {
    await setLanguage(language)
    serve(done)
    renderPart(<Register />, '/register?form=member')
    await waitFor(() => expect(field('register', 'title')).toHaveAccessibleName(title))
    expect(field('register', 'keyword')).toHaveAccessibleName(keyword)
  },
)

it.each([
  ['zh', '请使用英文填写', '去修改'],
  ['ru', 'Пожалуйста, пишите латиницей', 'Исправить'],
] as const)('stops with a dialog in %s where something is in Chinese', async (language, title, button) => {
  const { received, user } = await openMemberForm()
  await fillAll(user, { dept: '放射科' })
  await drag(user)
  await user.click(screen.getByRole('checkbox'))
  await setLanguage(language)
  fireEvent.submit(screen.getByRole('form'))
  const dialog = await screen.findByRole('dialog', { name: title, hidden: true })
  await user.click(within(dialog).getByText(button))
  await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull())
  expect(field('register', 'dept')).toHaveFocus()
  expect(received.some(({ path }) => path === 'user/register')).toBe(false)
})

it('sends an area whose district is another', async () => {
  const { received, user } = await openMemberForm()
  await chooseCountry(user, 'register', 'currCountry', 'China')
  await screen.findByRole('option', { name: 'Guangdong' })
  for (const [level, name] of [
    ['Province', 'Guangdong'],
    ['City', 'Shenzhen'],
    ['District', 'Other'],
  ] as const)
    await user.selectOptions(screen.getByRole('combobox', { name: level }), name)
  fill('register', person)
  await chooseCountry(user, 'register', 'country', 'China')
  await drag(user)
  await user.click(screen.getByRole('checkbox'))
  await submit(user)
  await waitFor(() =>
    expect(received.find(({ path }) => path === 'user/register')?.body.area).toBe('440000/440300/other'),
  )
})

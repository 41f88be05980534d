import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { routes } from '../src/app/routes.tsx'
import { currentLanguage } from '../src/lib/i18n.ts'
import { storedLanguage } from '../src/lib/language.ts'
import * as session from '../src/lib/session.ts'
import { LanguageSelect } from '../src/ui/look/language-select.tsx'
import { makeSetting, makeUser, signIn } from './make.ts'
import { renderPart, renderRoutes } from './render.tsx'
import { serve } from './serve.ts'

const choose = async (name: string) =>
  userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), name)

it('keeps a language that a member chooses with the account', async () => {
  signIn()
  const received = serve({ 'user/edit': ({ language }) => makeUser({ language: language ?? null }) })
  renderPart(<LanguageSelect />)
  await choose('Русский')
  expect(await screen.findByRole('combobox', { name: 'Язык' })).toBeVisible()
  expect(received.map(({ path, body }) => [path, body])).toEqual([
    ['user/edit', { userId: 'user-1', language: 'ru' }],
  ])
})

it('shows a language that could not be kept with the account, and says nothing of it', async () => {
  signIn()
  serve({})
  renderPart(<LanguageSelect />)
  await choose('中文')
  expect(await screen.findByRole('combobox', { name: '语言' })).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('asks nothing of the server where nobody is signed in', async () => {
  const received = serve({})
  renderPart(<LanguageSelect />)
  await choose('Русский')
  await screen.findByRole('combobox', { name: 'Язык' })
  expect(received).toEqual([])
})

it('takes the language of the account at a sign-in, for this browser and for no tab', async () => {
  signIn({ language: 'ru' })
  await waitFor(() => expect(currentLanguage()).toBe('ru'))
  expect(storedLanguage()).toBe('ru')
  // Whoever signs in next in this tab has an account of their own.
  session.end()
  signIn({ id: 'user-2', language: 'zh' })
  await waitFor(() => expect(currentLanguage()).toBe('zh'))
})

it('leaves the language that was chosen in this tab', async () => {
  serve({})
  renderPart(<LanguageSelect />)
  await choose('中文')
  await screen.findByRole('combobox', { name: '语言' })
  signIn({ language: 'ru' })
  expect(currentLanguage()).toBe('zh')
  expect(storedLanguage()).toBe('zh')
})

it('leaves the language that the address names', () => {
  window.history.replaceState(null, '', '/zh/about')
  signIn({ language: 'ru' })
  window.history.replaceState(null, '', '/')
  expect(localStorage.getItem('theLanguage')).toBeNull()
})

it('takes no public page in the language of the browser for a choice', async () => {
  serve({ 'setting/public': () => makeSetting() })
  renderRoutes(routes, '/about')
  await screen.findByRole('heading', { level: 1 })
  signIn({ language: 'ru' })
  await waitFor(() => expect(currentLanguage()).toBe('ru'))
})

import { expect, it, vi } from 'vitest'
import { storedLanguage, storeLanguage } from '../../src/lib/language.ts'
import * as session from '../../src/lib/session.ts'

const cases: [string, { tab?: string; browser?: string; system: string[] }, string][] = [
  ['the tab', { tab: 'zh', browser: 'ru', system: ['en-GB'] }, 'zh'],
  ['the browser, where the tab is new', { browser: 'ru', system: ['zh-CN'] }, 'ru'],
  ['the first known of the system, where nobody chose', { system: ['fr-FR', 'zh-Hant-TW', 'ru'] }, 'zh'],
  ['English, where the system speaks none of them', { system: ['fr-FR', 'de'] }, 'en'],
  ['the system, where what is stored is no language of ours', { tab: 'xx', system: ['ru-RU'] }, 'ru'],
]
it.each(cases)('the language is that of %s', (_, { tab, browser, system }, language) => {
  if (tab) sessionStorage.setItem('theLanguage', tab)
  if (browser) localStorage.setItem('theLanguage', browser)
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(system)
  expect(storedLanguage()).toBe(language)
  vi.restoreAllMocks()
})

it('a chosen language outlives the tab and signing out', () => {
  storeLanguage('ru')
  session.end()
  sessionStorage.clear()
  expect(storedLanguage()).toBe('ru')
})

it('a chosen language and look outlive signing out, and the day', () => {
  storeLanguage('zh')
  localStorage.setItem('look', 'dark')
  localStorage.setItem('date', '2026-1-1')
  localStorage.setItem('draft', 'of that day')
  session.cleanStale(new Date(2026, 0, 2))
  expect(localStorage.getItem('draft')).toBeNull()
  session.end()
  sessionStorage.clear()
  expect(storedLanguage()).toBe('zh')
  expect(localStorage.getItem('look')).toBe('dark')
})

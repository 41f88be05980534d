/** Who is signed in, as far as this browser knows: token, a short user record, language. Grants nothing; the server decides. */
import type { User } from '@neuroloom/contract/accounts/accounts'
import { useSyncExternalStore } from 'react'
import { takeLanguage } from './i18n.ts'
import { forgetTabs } from './last-tab.ts'

/** All of a user that is kept in the browser. */
const kept = [
  'id',
  'nickName',
  'role',
  'vipLevel',
  'vipSuper',
  'vipValid',
  'photo',
  'type',
  'mustChangePassword',
] satisfies (keyof User)[]
export type UserRecord = Pick<User, (typeof kept)[number]>

const keys = { token: 'token', user: 'userInfo', date: 'date', closing: 'closing' } as const

/** Local data of another day is cleaned when a page starts. */
export function cleanStale(now = new Date()): void {
  const stored = localStorage.getItem(keys.date)
  if (stored === null || stored === dayOf(now)) return
  isOver = user() !== null
  clearStored()
}

/** Whether somebody was signed in here until this page began. */
export const wasSignedOut = (): boolean => isOver

let isOver = false

type Opened = {
  token: string
  /** Tells the server that the last window closes; good for nothing else. */
  closing: string
}

/** `byLink`: another product opened the workspace, which then shows no module selector. */
export function start({ user, byLink = false, ...opened }: Opened & { user: User; byLink?: boolean }): void {
  forgetTabs()
  localStorage.setItem(keys.date, dayOf(new Date()))
  sessionStorage.setItem('isOcibe', byLink ? '1' : '0')
  renew(opened)
  keep(user)
  void takeLanguage(user.language)
}

/** The same session under a new token. */
export function renew({ token, closing }: Opened): void {
  localStorage.setItem(keys.token, token)
  localStorage.setItem(keys.closing, closing)
}

/** Stores the part of a fresh profile that pages outside the personal centre show. */
export function keep(user: UserRecord): void {
  localStorage.setItem(keys.user, JSON.stringify(user, kept))
  changed()
}

/** Whether the printed password must be changed before anything else. */
export function keepMustChange(mustChangePassword: boolean): void {
  const record = user()
  if (record !== null) keep({ ...record, mustChangePassword })
}

/** Forgets the session; the chosen language and look outlive it. */
export function end(): void {
  const ofTab = sessionStorage.getItem('theLanguage')
  forgetTabs()
  clearStored()
  sessionStorage.clear()
  if (ofTab !== null) sessionStorage.setItem('theLanguage', ofTab)
  changed()
}

/** What belongs to the browser rather than to whoever was signed in: language, light or dark, how people sign in here. */
const ofBrowser = ['theLanguage', 'look', 'signInBy']

function clearStored(): void {
  const stays = ofBrowser.map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  for (const [key, value] of stays) if (value !== null) localStorage.setItem(key, value)
}

export const token = (): string | null => localStorage.getItem(keys.token)

export const closing = (): string | null => localStorage.getItem(keys.closing)

/** The stored record, the same object until it changes. */
export function user(): UserRecord | null {
  const text = localStorage.getItem(keys.user)
  if (text !== cached.text) cached = { text, record: parse(text) }
  return cached.record
}

export function useUser(): UserRecord | null {
  // A page rendered ahead knows nobody.
  return useSyncExternalStore(subscribe, user, () => null)
}

/** 1 when another product opened the workspace through a link: then the module selector is hidden. */
export const isEmbedded = (): boolean => sessionStorage.getItem('isOcibe') === '1'

/** Choices of the page just left; they must not leak into the next one. */
export function forgetPageChoices(): void {
  sessionStorage.removeItem('runId')
  sessionStorage.removeItem('current')
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab signed in or out.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

const listeners = new Set<() => void>()
let cached: { text: string | null; record: UserRecord | null } = { text: null, record: null }

function changed(): void {
  for (const listener of listeners) listener()
}

function parse(text: string | null): UserRecord | null {
  if (text === null) return null
  try {
    // Written by `keep` alone; a hand-edited record only changes what this browser shows.
    return JSON.parse(text) as UserRecord
  } catch {
    return null
  }
}

function dayOf(date: Date): string {
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}
